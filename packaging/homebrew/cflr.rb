# SPDX-License-Identifier: Apache-2.0
#
# On Linux: the sources use its linker and its C library. `brew install --HEAD ./cflr.rb`
class Cflr < Formula
  desc "Answers questions about pointers in C programs by CFL-reachability"
  homepage "https://example.org/cflr"
  license "Apache-2.0"
  head "https://example.org/cflr.git", branch: "main"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "scdoc" => :build
  depends_on "jansson"
  depends_on "libedit"
  depends_on :linux
  depends_on "llvm"
  depends_on "popt"
  depends_on "sqlite"
  depends_on "xxhash"
  depends_on "xz"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DCFLR_TESTS=OFF", "-DCFLR_CUDA=OFF",
           "-DCFLR_MPI=OFF", "-DCFLR_LLVM_DIR=#{Formula["llvm"].opt_prefix}", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    (testpath/"a.c").write "int main(void) { int *p = 0; return *p; }\n"
    assert_match "null pointer dereference", shell_output("#{bin}/cflr check a.c --rules null", 1)
  end
end

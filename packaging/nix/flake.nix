# SPDX-License-Identifier: Apache-2.0
#
# nix run 'git+https://example.org/cflr?dir=packaging/nix' -- check a.c --rules null
{
  description = "CFL-reachability program analysis of C";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-25.05";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
      cflr = pkgs:
        let
          libclang = pkgs.llvmPackages_19.libclang;
          # the library, which is loaded, and its headers, in one root
          llvm = pkgs.symlinkJoin {
            name = "cflr-libclang";
            paths = [ libclang.lib libclang.dev ];
          };
        in
        pkgs.stdenv.mkDerivation {
          pname = "cflr";
          version = "0.1.0";
          src = ../..;
          nativeBuildInputs = with pkgs; [ cmake ninja pkg-config python3 scdoc ];
          buildInputs = with pkgs; [ jansson libedit popt sqlite xxHash xz zlib zstd ];
          cmakeFlags = [
            "-DCFLR_TESTS=OFF"
            "-DCFLR_CUDA=OFF"
            "-DCFLR_MPI=OFF"
            "-DCFLR_LLVM_DIR=${llvm}"
          ];
          meta = {
            description = "CFL-reachability program analysis of C";
            license = pkgs.lib.licenses.asl20;
            mainProgram = "cflr";
            platforms = systems;
          };
        };
    in
    {
      packages = each (pkgs: { default = cflr pkgs; });
    };
}

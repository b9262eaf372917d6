#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Starts a program as several processes, more than there may be processors, as any user.
#   mpirun.sh MPIRUN N PROGRAM ARGUMENT...
set -eu
mpirun=$1 n=$2
shift 2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # a container has no other user
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none # which containers may forbid
export ASAN_OPTIONS=detect_leaks=0                   # what MPI keeps is not ours to free
export OMP_WAIT_POLICY=passive
exec timeout -k 10 600 "$mpirun" -n "$n" "$@"

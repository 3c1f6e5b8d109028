#!/usr/bin/env bash
# Runs the jobs of this folder on a real Slurm of two nodes, both of them this machine, and removes all of it again.
#
#     sudo bash scripts/slurm/try_here.sh [JOB.sbatch ...]      SCRIPT=scripts/other.py: train something else
#
# Linux, root, and Debian's slurm-wlm and munge. Everything runs in namespaces of its own: other processes and ports do
# not see it, names n1 and n2 mean this machine in there alone, and its last process takes all others with it.
set -euo pipefail

stop() { echo "try_here: $*" >&2; exit 2; }

if [ "${1:-}" != --inside ]; then
    [ "$(uname -s)" = Linux ] || stop "Slurm's daemons and namespaces need Linux; this is $(uname -s)."
    [ "$(id -u)" = 0 ] || stop "started by hand, Slurm's daemons need root: say sudo bash $0"
    missing=()
    for tool in munged slurmctld slurmd sbatch srun scontrol sinfo ip unshare; do
        command -v "$tool" >/dev/null || missing+=("$tool")
    done
    [ ${#missing[@]} = 0 ] || stop "not installed: ${missing[*]}. On Debian: apt-get install slurm-wlm munge iproute2"
    cd "$(dirname "${BASH_SOURCE[0]}")/../.."
    folder=$(mktemp -d)
    # unshare itself heeds no other signal than KILL. With it ends the first process inside (--kill-child), and with that one the kernel ends all others.
    unshare --mount --net --uts --pid --fork --kill-child --mount-proc \
        bash scripts/slurm/try_here.sh --inside "$folder" "$@" &
    inside=$!
    trap 'kill -KILL "$inside" 2>/dev/null || true; wait "$inside" || true; rm -rf "$folder"' EXIT
    trap 'exit 130' INT TERM
    code=0
    wait "$inside" || code=$?
    exit "$code"
fi

folder=$2
shift 2
chmod 755 "$folder" # munge's clients must reach the socket
ip link set lo up
for node in 1 2; do ip addr add "10.77.0.$node/24" dev lo; done # Slurm refuses to listen where there is only 127.0.0.1
hostname n1
printf '127.0.0.1 localhost\n::1 localhost\n10.77.0.1 n1\n10.77.0.2 n2\n' > "$folder/hosts"
mount --bind "$folder/hosts" /etc/hosts
mkdir "$folder/state" "$folder/munge"
export SLURM_CONF=$folder/slurm.conf
cat > "$SLURM_CONF" <<CONF
ClusterName=here
SlurmctldHost=n1
SlurmUser=root
AuthInfo=socket=$folder/munge/socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool.%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
NodeName=n[1-2] NodeHostname=n1 NodeAddr=10.77.0.[1-2] Port=[7001-7002] CPUs=2
PartitionName=here Nodes=n[1-2] Default=YES State=UP
CONF

head -c 64 /dev/urandom > "$folder/munge/key"
chmod 400 "$folder/munge/key"
munged --socket="$folder/munge/socket" --key-file="$folder/munge/key" --pid-file="$folder/munge/pid" \
    --seed-file="$folder/munge/seed" --log-file="$folder/munge/log"
slurmctld -f "$SLURM_CONF"
for node in n1 n2; do slurmd -f "$SLURM_CONF" -N "$node"; done
idle() { [ "$(timeout 5 sinfo --noheader --states=idle --format=%D 2>/dev/null)" = 2 ]; }
until idle || [ "$SECONDS" -gt 30 ]; do sleep 0.3; done
timeout 5 sinfo --Node --long || true
idle || {
    tail -n 20 "$folder"/*.log >&2
    stop "the two nodes did not come up; the ends of the logs are above."
}

[ $# -gt 0 ] || set -- scripts/slurm/*.sbatch
failed=0
for job in "$@"; do
    echo "== $job"
    id=$(sbatch --parsable --output="$folder/%j.out" "$job")
    # Not sbatch --wait, which asks ever more seldom, up to once in a minute.
    until=$((SECONDS + 300))
    while scontrol show job "$id" | grep -qE 'JobState=(PENDING|CONFIGURING|RUNNING|COMPLETING)'; do
        if [ "$SECONDS" -gt "$until" ]; then scancel "$id"; until=$((SECONDS + 60)); fi
        sleep 0.5
    done
    state=$(scontrol show job "$id" | grep -oE 'JobState=[A-Z_]+')
    cat "$folder/$id.out"
    scontrol show job "$id" | grep -oE '(JobState|NodeList|NumNodes|NumTasks|ExitCode|RunTime)=[^ ]+' | grep -v '=(null)' | xargs
    [ "$state" = JobState=COMPLETED ] || failed=1
done
exit "$failed"

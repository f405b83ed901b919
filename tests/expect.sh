# For scripts that look at what commands say, which source this: `check`, and how many of its checks passed and failed.
passed=0 failed=0
check() { # name, expected exit status, words that the output has to contain, command...
    local name=$1 status=$2 words=$3 output rc
    shift 3
    output=$("$@" 2>&1)
    rc=$?
    if [ $rc = "$status" ] && grep -qF -- "$words" <<<"$output"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name: exit status $rc instead of $status, or no \"$words\" in:"
        tail -25 <<<"$output"
    fi
}

# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_doppel_global_optspecs
    string join \n h/help V/version
end

function __fish_doppel_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_doppel_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_doppel_using_subcommand
    set -l cmd (__fish_doppel_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c doppel -n "__fish_doppel_needs_command" -s h -l help -d 'Print help'
complete -c doppel -n "__fish_doppel_needs_command" -s V -l version -d 'Print version'
complete -c doppel -n "__fish_doppel_needs_command" -f -a "run" -d 'Runs a program on Doppel\'s CUDA libraries'
complete -c doppel -n "__fish_doppel_needs_command" -f -a "env" -d 'Prints what run sets, for a shell, GitHub or Docker'
complete -c doppel -n "__fish_doppel_needs_command" -f -a "info" -d 'Lists the devices that a program would see'
complete -c doppel -n "__fish_doppel_needs_command" -f -a "status" -d 'Lists the driver\'s functions and their state'
complete -c doppel -n "__fish_doppel_needs_command" -f -a "trace" -d 'Runs a program and writes its calls to stderr or a file, or sums up a trace'
complete -c doppel -n "__fish_doppel_needs_command" -f -a "record" -d 'Runs a program and records what it asks of the driver'
complete -c doppel -n "__fish_doppel_needs_command" -f -a "replay" -d 'Asks a device what was recorded, and says where it answers otherwise'
complete -c doppel -n "__fish_doppel_needs_command" -f -a "doctor" -d 'Looks at a program before it is run: what will work, and what helps where it will not'
complete -c doppel -n "__fish_doppel_needs_command" -f -a "fault" -d 'Lets calls of a program fail on purpose'
complete -c doppel -n "__fish_doppel_needs_command" -f -a "core" -d 'Shows a core dump of a kernel: where it went wrong, and with what in its registers'
complete -c doppel -n "__fish_doppel_needs_command" -f -a "smi" -d 'Is nvidia-smi: the devices, as scripts ask for them'
complete -c doppel -n "__fish_doppel_needs_command" -f -a "completions" -d 'Prints completions for a shell'
complete -c doppel -n "__fish_doppel_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c doppel -n "__fish_doppel_using_subcommand run" -l mode -d 'Who answers CUDA calls: cpu (default), forward, absent, auto [env: DOPPEL_MODE]' -r -f -a "cpu\t''
forward\t''
absent\t''
auto\t''"
complete -c doppel -n "__fish_doppel_using_subcommand run" -l devices -d 'Number of devices, or a list of profiles such as h200,h200 [env: DOPPEL_DEVICES]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand run" -l memory -d 'Memory of each device, such as 8GiB [env: DOPPEL_DEVICE_MEMORY]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand run" -l limit -d 'How much of it the program may have: 2GiB, or 2GiB,none,... by device [env: DOPPEL_MEMORY_LIMIT]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand run" -l trace -d 'Writes each call: text, or Perfetto\'s JSON to FILE.json, or - for stderr [env: DOPPEL_TRACE]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand run" -l trace-calls -d 'Writes these calls alone: cuMem*,cuLaunchKernel or !cuCtxGetCurrent [env: DOPPEL_TRACE_CALLS]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand run" -l trace-range -d 'all (default), or profiler: between cuProfilerStart and cuProfilerStop [env: DOPPEL_TRACE_RANGE]' -r -f -a "all\t''
profiler\t''"
complete -c doppel -n "__fish_doppel_using_subcommand run" -l trace-stacks -d 'Writes the program\'s stack, too, behind these of them: cuMemAlloc* [env: DOPPEL_TRACE_STACKS]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand run" -l record -d 'Records what is asked of the driver, for doppel replay [env: DOPPEL_RECORD]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand run" -l fault -d 'Calls that fail on purpose: alloc:error=OUT_OF_MEMORY,nth=3, or a file [env: DOPPEL_FAULT]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand run" -l node -d 'Processes with this name share the devices; none: with nobody [env: DOPPEL_NODE]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand run" -l schedule -d 'When queued work runs: eager (default), lazy, random:SEED [env: DOPPEL_SCHEDULE]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand run" -l check -d 'Looks for mistakes: memcheck, initcheck, racecheck, synccheck, leaks, exit=N, limit=N, junit=FILE, sarif=FILE, in a list [env: DOPPEL_CHECK]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand run" -l log -d 'off, error, warn (default), info, debug [env: DOPPEL_LOG]' -r -f -a "off\t''
error\t''
warn\t''
info\t''
debug\t''"
complete -c doppel -n "__fish_doppel_using_subcommand run" -l real -d 'The real driver, for the modes forward and auto [env: DOPPEL_REAL_LIBCUDA]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand run" -l preload -d 'LD_PRELOAD in place of LD_AUDIT: the CUDA runtime alone comes before what a program names by a path'
complete -c doppel -n "__fish_doppel_using_subcommand run" -l no-preload -d 'Neither: programs that name NVIDIA\'s libraries by a path get NVIDIA\'s'
complete -c doppel -n "__fish_doppel_using_subcommand run" -s h -l help -d 'Print help'
complete -c doppel -n "__fish_doppel_using_subcommand env" -l mode -d 'Who answers CUDA calls: cpu (default), forward, absent, auto [env: DOPPEL_MODE]' -r -f -a "cpu\t''
forward\t''
absent\t''
auto\t''"
complete -c doppel -n "__fish_doppel_using_subcommand env" -l devices -d 'Number of devices, or a list of profiles such as h200,h200 [env: DOPPEL_DEVICES]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand env" -l memory -d 'Memory of each device, such as 8GiB [env: DOPPEL_DEVICE_MEMORY]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand env" -l limit -d 'How much of it the program may have: 2GiB, or 2GiB,none,... by device [env: DOPPEL_MEMORY_LIMIT]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand env" -l trace -d 'Writes each call: text, or Perfetto\'s JSON to FILE.json, or - for stderr [env: DOPPEL_TRACE]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand env" -l trace-calls -d 'Writes these calls alone: cuMem*,cuLaunchKernel or !cuCtxGetCurrent [env: DOPPEL_TRACE_CALLS]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand env" -l trace-range -d 'all (default), or profiler: between cuProfilerStart and cuProfilerStop [env: DOPPEL_TRACE_RANGE]' -r -f -a "all\t''
profiler\t''"
complete -c doppel -n "__fish_doppel_using_subcommand env" -l trace-stacks -d 'Writes the program\'s stack, too, behind these of them: cuMemAlloc* [env: DOPPEL_TRACE_STACKS]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand env" -l record -d 'Records what is asked of the driver, for doppel replay [env: DOPPEL_RECORD]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand env" -l fault -d 'Calls that fail on purpose: alloc:error=OUT_OF_MEMORY,nth=3, or a file [env: DOPPEL_FAULT]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand env" -l node -d 'Processes with this name share the devices; none: with nobody [env: DOPPEL_NODE]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand env" -l schedule -d 'When queued work runs: eager (default), lazy, random:SEED [env: DOPPEL_SCHEDULE]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand env" -l check -d 'Looks for mistakes: memcheck, initcheck, racecheck, synccheck, leaks, exit=N, limit=N, junit=FILE, sarif=FILE, in a list [env: DOPPEL_CHECK]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand env" -l log -d 'off, error, warn (default), info, debug [env: DOPPEL_LOG]' -r -f -a "off\t''
error\t''
warn\t''
info\t''
debug\t''"
complete -c doppel -n "__fish_doppel_using_subcommand env" -l real -d 'The real driver, for the modes forward and auto [env: DOPPEL_REAL_LIBCUDA]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand env" -l preload -d 'LD_PRELOAD in place of LD_AUDIT: the CUDA runtime alone comes before what a program names by a path'
complete -c doppel -n "__fish_doppel_using_subcommand env" -l no-preload -d 'Neither: programs that name NVIDIA\'s libraries by a path get NVIDIA\'s'
complete -c doppel -n "__fish_doppel_using_subcommand env" -l github -d 'Appends to the files of a job of GitHub\'s'
complete -c doppel -n "__fish_doppel_using_subcommand env" -l docker -d 'Prints ENV lines for a Dockerfile'
complete -c doppel -n "__fish_doppel_using_subcommand env" -l json -d 'Prints JSON'
complete -c doppel -n "__fish_doppel_using_subcommand env" -s h -l help -d 'Print help'
complete -c doppel -n "__fish_doppel_using_subcommand info" -l mode -d 'Who answers CUDA calls: cpu (default), forward, absent, auto [env: DOPPEL_MODE]' -r -f -a "cpu\t''
forward\t''
absent\t''
auto\t''"
complete -c doppel -n "__fish_doppel_using_subcommand info" -l devices -d 'Number of devices, or a list of profiles such as h200,h200 [env: DOPPEL_DEVICES]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand info" -l memory -d 'Memory of each device, such as 8GiB [env: DOPPEL_DEVICE_MEMORY]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand info" -l limit -d 'How much of it the program may have: 2GiB, or 2GiB,none,... by device [env: DOPPEL_MEMORY_LIMIT]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand info" -l trace -d 'Writes each call: text, or Perfetto\'s JSON to FILE.json, or - for stderr [env: DOPPEL_TRACE]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand info" -l trace-calls -d 'Writes these calls alone: cuMem*,cuLaunchKernel or !cuCtxGetCurrent [env: DOPPEL_TRACE_CALLS]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand info" -l trace-range -d 'all (default), or profiler: between cuProfilerStart and cuProfilerStop [env: DOPPEL_TRACE_RANGE]' -r -f -a "all\t''
profiler\t''"
complete -c doppel -n "__fish_doppel_using_subcommand info" -l trace-stacks -d 'Writes the program\'s stack, too, behind these of them: cuMemAlloc* [env: DOPPEL_TRACE_STACKS]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand info" -l record -d 'Records what is asked of the driver, for doppel replay [env: DOPPEL_RECORD]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand info" -l fault -d 'Calls that fail on purpose: alloc:error=OUT_OF_MEMORY,nth=3, or a file [env: DOPPEL_FAULT]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand info" -l node -d 'Processes with this name share the devices; none: with nobody [env: DOPPEL_NODE]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand info" -l schedule -d 'When queued work runs: eager (default), lazy, random:SEED [env: DOPPEL_SCHEDULE]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand info" -l check -d 'Looks for mistakes: memcheck, initcheck, racecheck, synccheck, leaks, exit=N, limit=N, junit=FILE, sarif=FILE, in a list [env: DOPPEL_CHECK]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand info" -l log -d 'off, error, warn (default), info, debug [env: DOPPEL_LOG]' -r -f -a "off\t''
error\t''
warn\t''
info\t''
debug\t''"
complete -c doppel -n "__fish_doppel_using_subcommand info" -l real -d 'The real driver, for the modes forward and auto [env: DOPPEL_REAL_LIBCUDA]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand info" -l json -d 'Prints JSON'
complete -c doppel -n "__fish_doppel_using_subcommand info" -s h -l help -d 'Print help'
complete -c doppel -n "__fish_doppel_using_subcommand status" -l missing -d 'Only what is not implemented, or not fully'
complete -c doppel -n "__fish_doppel_using_subcommand status" -l json -d 'Prints JSON'
complete -c doppel -n "__fish_doppel_using_subcommand status" -s h -l help -d 'Print help'
complete -c doppel -n "__fish_doppel_using_subcommand trace; and not __fish_seen_subcommand_from summary view help" -l mode -d 'Who answers CUDA calls: cpu (default), forward, absent, auto [env: DOPPEL_MODE]' -r -f -a "cpu\t''
forward\t''
absent\t''
auto\t''"
complete -c doppel -n "__fish_doppel_using_subcommand trace; and not __fish_seen_subcommand_from summary view help" -l devices -d 'Number of devices, or a list of profiles such as h200,h200 [env: DOPPEL_DEVICES]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand trace; and not __fish_seen_subcommand_from summary view help" -l memory -d 'Memory of each device, such as 8GiB [env: DOPPEL_DEVICE_MEMORY]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand trace; and not __fish_seen_subcommand_from summary view help" -l limit -d 'How much of it the program may have: 2GiB, or 2GiB,none,... by device [env: DOPPEL_MEMORY_LIMIT]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand trace; and not __fish_seen_subcommand_from summary view help" -s o -l trace -d 'Where the calls go: text, or Perfetto\'s JSON to FILE.json [env: DOPPEL_TRACE]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand trace; and not __fish_seen_subcommand_from summary view help" -s e -l trace-calls -d 'Writes these calls alone: cuMem*,cuLaunchKernel or !cuCtxGetCurrent [env: DOPPEL_TRACE_CALLS]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand trace; and not __fish_seen_subcommand_from summary view help" -l trace-range -d 'all (default), or profiler: between cuProfilerStart and cuProfilerStop [env: DOPPEL_TRACE_RANGE]' -r -f -a "all\t''
profiler\t''"
complete -c doppel -n "__fish_doppel_using_subcommand trace; and not __fish_seen_subcommand_from summary view help" -s k -l trace-stacks -d 'Writes the program\'s stack, too, behind these of them: cuMemAlloc* [env: DOPPEL_TRACE_STACKS]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand trace; and not __fish_seen_subcommand_from summary view help" -l record -d 'Records what is asked of the driver, for doppel replay [env: DOPPEL_RECORD]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand trace; and not __fish_seen_subcommand_from summary view help" -l fault -d 'Calls that fail on purpose: alloc:error=OUT_OF_MEMORY,nth=3, or a file [env: DOPPEL_FAULT]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand trace; and not __fish_seen_subcommand_from summary view help" -l node -d 'Processes with this name share the devices; none: with nobody [env: DOPPEL_NODE]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand trace; and not __fish_seen_subcommand_from summary view help" -l schedule -d 'When queued work runs: eager (default), lazy, random:SEED [env: DOPPEL_SCHEDULE]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand trace; and not __fish_seen_subcommand_from summary view help" -l check -d 'Looks for mistakes: memcheck, initcheck, racecheck, synccheck, leaks, exit=N, limit=N, junit=FILE, sarif=FILE, in a list [env: DOPPEL_CHECK]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand trace; and not __fish_seen_subcommand_from summary view help" -l log -d 'off, error, warn (default), info, debug [env: DOPPEL_LOG]' -r -f -a "off\t''
error\t''
warn\t''
info\t''
debug\t''"
complete -c doppel -n "__fish_doppel_using_subcommand trace; and not __fish_seen_subcommand_from summary view help" -l real -d 'The real driver, for the modes forward and auto [env: DOPPEL_REAL_LIBCUDA]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand trace; and not __fish_seen_subcommand_from summary view help" -l preload -d 'LD_PRELOAD in place of LD_AUDIT: the CUDA runtime alone comes before what a program names by a path'
complete -c doppel -n "__fish_doppel_using_subcommand trace; and not __fish_seen_subcommand_from summary view help" -l no-preload -d 'Neither: programs that name NVIDIA\'s libraries by a path get NVIDIA\'s'
complete -c doppel -n "__fish_doppel_using_subcommand trace; and not __fish_seen_subcommand_from summary view help" -s h -l help -d 'Print help'
complete -c doppel -n "__fish_doppel_using_subcommand trace; and not __fish_seen_subcommand_from summary view help" -a "summary" -d 'Sums up a trace in text'
complete -c doppel -n "__fish_doppel_using_subcommand trace; and not __fish_seen_subcommand_from summary view help" -a "view" -d 'Writes a page with a trace\'s timeline'
complete -c doppel -n "__fish_doppel_using_subcommand trace; and not __fish_seen_subcommand_from summary view help" -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c doppel -n "__fish_doppel_using_subcommand trace; and __fish_seen_subcommand_from summary" -l json -d 'Prints JSON'
complete -c doppel -n "__fish_doppel_using_subcommand trace; and __fish_seen_subcommand_from summary" -s h -l help -d 'Print help'
complete -c doppel -n "__fish_doppel_using_subcommand trace; and __fish_seen_subcommand_from view" -s h -l help -d 'Print help'
complete -c doppel -n "__fish_doppel_using_subcommand trace; and __fish_seen_subcommand_from help" -f -a "summary" -d 'Sums up a trace in text'
complete -c doppel -n "__fish_doppel_using_subcommand trace; and __fish_seen_subcommand_from help" -f -a "view" -d 'Writes a page with a trace\'s timeline'
complete -c doppel -n "__fish_doppel_using_subcommand trace; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c doppel -n "__fish_doppel_using_subcommand record" -l mode -d 'Who answers CUDA calls: cpu (default), forward, absent, auto [env: DOPPEL_MODE]' -r -f -a "cpu\t''
forward\t''
absent\t''
auto\t''"
complete -c doppel -n "__fish_doppel_using_subcommand record" -l devices -d 'Number of devices, or a list of profiles such as h200,h200 [env: DOPPEL_DEVICES]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand record" -l memory -d 'Memory of each device, such as 8GiB [env: DOPPEL_DEVICE_MEMORY]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand record" -l limit -d 'How much of it the program may have: 2GiB, or 2GiB,none,... by device [env: DOPPEL_MEMORY_LIMIT]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand record" -l trace -d 'Writes each call: text, or Perfetto\'s JSON to FILE.json, or - for stderr [env: DOPPEL_TRACE]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand record" -l trace-calls -d 'Writes these calls alone: cuMem*,cuLaunchKernel or !cuCtxGetCurrent [env: DOPPEL_TRACE_CALLS]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand record" -l trace-range -d 'all (default), or profiler: between cuProfilerStart and cuProfilerStop [env: DOPPEL_TRACE_RANGE]' -r -f -a "all\t''
profiler\t''"
complete -c doppel -n "__fish_doppel_using_subcommand record" -l trace-stacks -d 'Writes the program\'s stack, too, behind these of them: cuMemAlloc* [env: DOPPEL_TRACE_STACKS]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand record" -s o -l record -d 'The file [env: DOPPEL_RECORD]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand record" -l fault -d 'Calls that fail on purpose: alloc:error=OUT_OF_MEMORY,nth=3, or a file [env: DOPPEL_FAULT]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand record" -l node -d 'Processes with this name share the devices; none: with nobody [env: DOPPEL_NODE]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand record" -l schedule -d 'When queued work runs: eager (default), lazy, random:SEED [env: DOPPEL_SCHEDULE]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand record" -l check -d 'Looks for mistakes: memcheck, initcheck, racecheck, synccheck, leaks, exit=N, limit=N, junit=FILE, sarif=FILE, in a list [env: DOPPEL_CHECK]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand record" -l log -d 'off, error, warn (default), info, debug [env: DOPPEL_LOG]' -r -f -a "off\t''
error\t''
warn\t''
info\t''
debug\t''"
complete -c doppel -n "__fish_doppel_using_subcommand record" -l real -d 'The real driver, for the modes forward and auto [env: DOPPEL_REAL_LIBCUDA]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand record" -l preload -d 'LD_PRELOAD in place of LD_AUDIT: the CUDA runtime alone comes before what a program names by a path'
complete -c doppel -n "__fish_doppel_using_subcommand record" -l no-preload -d 'Neither: programs that name NVIDIA\'s libraries by a path get NVIDIA\'s'
complete -c doppel -n "__fish_doppel_using_subcommand record" -s h -l help -d 'Print help'
complete -c doppel -n "__fish_doppel_using_subcommand replay" -l mode -d 'Who answers CUDA calls: cpu (default), forward, absent, auto [env: DOPPEL_MODE]' -r -f -a "cpu\t''
forward\t''
absent\t''
auto\t''"
complete -c doppel -n "__fish_doppel_using_subcommand replay" -l devices -d 'Number of devices, or a list of profiles such as h200,h200 [env: DOPPEL_DEVICES]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand replay" -l memory -d 'Memory of each device, such as 8GiB [env: DOPPEL_DEVICE_MEMORY]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand replay" -l limit -d 'How much of it the program may have: 2GiB, or 2GiB,none,... by device [env: DOPPEL_MEMORY_LIMIT]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand replay" -l trace -d 'Writes each call: text, or Perfetto\'s JSON to FILE.json, or - for stderr [env: DOPPEL_TRACE]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand replay" -l trace-calls -d 'Writes these calls alone: cuMem*,cuLaunchKernel or !cuCtxGetCurrent [env: DOPPEL_TRACE_CALLS]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand replay" -l trace-range -d 'all (default), or profiler: between cuProfilerStart and cuProfilerStop [env: DOPPEL_TRACE_RANGE]' -r -f -a "all\t''
profiler\t''"
complete -c doppel -n "__fish_doppel_using_subcommand replay" -l trace-stacks -d 'Writes the program\'s stack, too, behind these of them: cuMemAlloc* [env: DOPPEL_TRACE_STACKS]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand replay" -l record -d 'Records what is asked of the driver, for doppel replay [env: DOPPEL_RECORD]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand replay" -l fault -d 'Calls that fail on purpose: alloc:error=OUT_OF_MEMORY,nth=3, or a file [env: DOPPEL_FAULT]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand replay" -l node -d 'Processes with this name share the devices; none: with nobody [env: DOPPEL_NODE]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand replay" -l schedule -d 'When queued work runs: eager (default), lazy, random:SEED [env: DOPPEL_SCHEDULE]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand replay" -l check -d 'Looks for mistakes: memcheck, initcheck, racecheck, synccheck, leaks, exit=N, limit=N, junit=FILE, sarif=FILE, in a list [env: DOPPEL_CHECK]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand replay" -l log -d 'off, error, warn (default), info, debug [env: DOPPEL_LOG]' -r -f -a "off\t''
error\t''
warn\t''
info\t''
debug\t''"
complete -c doppel -n "__fish_doppel_using_subcommand replay" -l real -d 'The real driver, for the modes forward and auto [env: DOPPEL_REAL_LIBCUDA]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand replay" -l timeout -d 'A call that takes longer ends the replay; 600 if left out, 0 for as long as it takes' -r
complete -c doppel -n "__fish_doppel_using_subcommand replay" -l host-memory -d 'Memory of the host that the replay may take, three quarters of what is free if left out' -r
complete -c doppel -n "__fish_doppel_using_subcommand replay" -l tolerance -d 'f32=1e-6: numbers of this type may differ by this part of themselves; devices: by what two kinds of devices may' -r
complete -c doppel -n "__fish_doppel_using_subcommand replay" -l json -d 'Prints JSON'
complete -c doppel -n "__fish_doppel_using_subcommand replay" -s h -l help -d 'Print help'
complete -c doppel -n "__fish_doppel_using_subcommand doctor" -l mode -d 'Who answers CUDA calls: cpu (default), forward, absent, auto [env: DOPPEL_MODE]' -r -f -a "cpu\t''
forward\t''
absent\t''
auto\t''"
complete -c doppel -n "__fish_doppel_using_subcommand doctor" -l devices -d 'Number of devices, or a list of profiles such as h200,h200 [env: DOPPEL_DEVICES]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand doctor" -l memory -d 'Memory of each device, such as 8GiB [env: DOPPEL_DEVICE_MEMORY]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand doctor" -l limit -d 'How much of it the program may have: 2GiB, or 2GiB,none,... by device [env: DOPPEL_MEMORY_LIMIT]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand doctor" -l trace -d 'Writes each call: text, or Perfetto\'s JSON to FILE.json, or - for stderr [env: DOPPEL_TRACE]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand doctor" -l trace-calls -d 'Writes these calls alone: cuMem*,cuLaunchKernel or !cuCtxGetCurrent [env: DOPPEL_TRACE_CALLS]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand doctor" -l trace-range -d 'all (default), or profiler: between cuProfilerStart and cuProfilerStop [env: DOPPEL_TRACE_RANGE]' -r -f -a "all\t''
profiler\t''"
complete -c doppel -n "__fish_doppel_using_subcommand doctor" -l trace-stacks -d 'Writes the program\'s stack, too, behind these of them: cuMemAlloc* [env: DOPPEL_TRACE_STACKS]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand doctor" -l record -d 'Records what is asked of the driver, for doppel replay [env: DOPPEL_RECORD]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand doctor" -l fault -d 'Calls that fail on purpose: alloc:error=OUT_OF_MEMORY,nth=3, or a file [env: DOPPEL_FAULT]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand doctor" -l node -d 'Processes with this name share the devices; none: with nobody [env: DOPPEL_NODE]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand doctor" -l schedule -d 'When queued work runs: eager (default), lazy, random:SEED [env: DOPPEL_SCHEDULE]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand doctor" -l check -d 'Looks for mistakes: memcheck, initcheck, racecheck, synccheck, leaks, exit=N, limit=N, junit=FILE, sarif=FILE, in a list [env: DOPPEL_CHECK]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand doctor" -l log -d 'off, error, warn (default), info, debug [env: DOPPEL_LOG]' -r -f -a "off\t''
error\t''
warn\t''
info\t''
debug\t''"
complete -c doppel -n "__fish_doppel_using_subcommand doctor" -l real -d 'The real driver, for the modes forward and auto [env: DOPPEL_REAL_LIBCUDA]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand doctor" -l json -d 'Prints JSON'
complete -c doppel -n "__fish_doppel_using_subcommand doctor" -s h -l help -d 'Print help'
complete -c doppel -n "__fish_doppel_using_subcommand fault; and not __fish_seen_subcommand_from sweep help" -s h -l help -d 'Print help'
complete -c doppel -n "__fish_doppel_using_subcommand fault; and not __fish_seen_subcommand_from sweep help" -f -a "sweep" -d 'Runs a program once for each of its calls and each error'
complete -c doppel -n "__fish_doppel_using_subcommand fault; and not __fish_seen_subcommand_from sweep help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -l mode -d 'Who answers CUDA calls: cpu (default), forward, absent, auto [env: DOPPEL_MODE]' -r -f -a "cpu\t''
forward\t''
absent\t''
auto\t''"
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -l devices -d 'Number of devices, or a list of profiles such as h200,h200 [env: DOPPEL_DEVICES]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -l memory -d 'Memory of each device, such as 8GiB [env: DOPPEL_DEVICE_MEMORY]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -l limit -d 'How much of it the program may have: 2GiB, or 2GiB,none,... by device [env: DOPPEL_MEMORY_LIMIT]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -l trace -d 'Writes each call: text, or Perfetto\'s JSON to FILE.json, or - for stderr [env: DOPPEL_TRACE]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -l trace-calls -d 'Writes these calls alone: cuMem*,cuLaunchKernel or !cuCtxGetCurrent [env: DOPPEL_TRACE_CALLS]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -l trace-range -d 'all (default), or profiler: between cuProfilerStart and cuProfilerStop [env: DOPPEL_TRACE_RANGE]' -r -f -a "all\t''
profiler\t''"
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -l trace-stacks -d 'Writes the program\'s stack, too, behind these of them: cuMemAlloc* [env: DOPPEL_TRACE_STACKS]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -l record -d 'Records what is asked of the driver, for doppel replay [env: DOPPEL_RECORD]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -l fault -d 'Calls that fail on purpose: alloc:error=OUT_OF_MEMORY,nth=3, or a file [env: DOPPEL_FAULT]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -l node -d 'Processes with this name share the devices; none: with nobody [env: DOPPEL_NODE]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -l schedule -d 'When queued work runs: eager (default), lazy, random:SEED [env: DOPPEL_SCHEDULE]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -l check -d 'Looks for mistakes: memcheck, initcheck, racecheck, synccheck, leaks, exit=N, limit=N, junit=FILE, sarif=FILE, in a list [env: DOPPEL_CHECK]' -r -f
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -l log -d 'off, error, warn (default), info, debug [env: DOPPEL_LOG]' -r -f -a "off\t''
error\t''
warn\t''
info\t''
debug\t''"
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -l real -d 'The real driver, for the modes forward and auto [env: DOPPEL_REAL_LIBCUDA]' -r -F
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -l errors -d 'The errors that the calls give' -r
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -l seconds -d 'How long a run may take' -r
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -l most -d 'How many calls of a function from one place are tried' -r
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -l preload -d 'LD_PRELOAD in place of LD_AUDIT: the CUDA runtime alone comes before what a program names by a path'
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -l no-preload -d 'Neither: programs that name NVIDIA\'s libraries by a path get NVIDIA\'s'
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -l json -d 'Prints JSON'
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from sweep" -s h -l help -d 'Print help'
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from help" -f -a "sweep" -d 'Runs a program once for each of its calls and each error'
complete -c doppel -n "__fish_doppel_using_subcommand fault; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c doppel -n "__fish_doppel_using_subcommand core" -l thread -d 'This thread of the block in place of the one that went wrong' -r
complete -c doppel -n "__fish_doppel_using_subcommand core" -l memory -d 'With the contents of shared and local memory and of the parameters'
complete -c doppel -n "__fish_doppel_using_subcommand core" -l json -d 'Prints JSON'
complete -c doppel -n "__fish_doppel_using_subcommand core" -s h -l help -d 'Print help'
complete -c doppel -n "__fish_doppel_using_subcommand completions" -s h -l help -d 'Print help'
complete -c doppel -n "__fish_doppel_using_subcommand help; and not __fish_seen_subcommand_from run env info status trace record replay doctor fault core smi completions help" -f -a "run" -d 'Runs a program on Doppel\'s CUDA libraries'
complete -c doppel -n "__fish_doppel_using_subcommand help; and not __fish_seen_subcommand_from run env info status trace record replay doctor fault core smi completions help" -f -a "env" -d 'Prints what run sets, for a shell, GitHub or Docker'
complete -c doppel -n "__fish_doppel_using_subcommand help; and not __fish_seen_subcommand_from run env info status trace record replay doctor fault core smi completions help" -f -a "info" -d 'Lists the devices that a program would see'
complete -c doppel -n "__fish_doppel_using_subcommand help; and not __fish_seen_subcommand_from run env info status trace record replay doctor fault core smi completions help" -f -a "status" -d 'Lists the driver\'s functions and their state'
complete -c doppel -n "__fish_doppel_using_subcommand help; and not __fish_seen_subcommand_from run env info status trace record replay doctor fault core smi completions help" -f -a "trace" -d 'Runs a program and writes its calls to stderr or a file, or sums up a trace'
complete -c doppel -n "__fish_doppel_using_subcommand help; and not __fish_seen_subcommand_from run env info status trace record replay doctor fault core smi completions help" -f -a "record" -d 'Runs a program and records what it asks of the driver'
complete -c doppel -n "__fish_doppel_using_subcommand help; and not __fish_seen_subcommand_from run env info status trace record replay doctor fault core smi completions help" -f -a "replay" -d 'Asks a device what was recorded, and says where it answers otherwise'
complete -c doppel -n "__fish_doppel_using_subcommand help; and not __fish_seen_subcommand_from run env info status trace record replay doctor fault core smi completions help" -f -a "doctor" -d 'Looks at a program before it is run: what will work, and what helps where it will not'
complete -c doppel -n "__fish_doppel_using_subcommand help; and not __fish_seen_subcommand_from run env info status trace record replay doctor fault core smi completions help" -f -a "fault" -d 'Lets calls of a program fail on purpose'
complete -c doppel -n "__fish_doppel_using_subcommand help; and not __fish_seen_subcommand_from run env info status trace record replay doctor fault core smi completions help" -f -a "core" -d 'Shows a core dump of a kernel: where it went wrong, and with what in its registers'
complete -c doppel -n "__fish_doppel_using_subcommand help; and not __fish_seen_subcommand_from run env info status trace record replay doctor fault core smi completions help" -f -a "smi" -d 'Is nvidia-smi: the devices, as scripts ask for them'
complete -c doppel -n "__fish_doppel_using_subcommand help; and not __fish_seen_subcommand_from run env info status trace record replay doctor fault core smi completions help" -f -a "completions" -d 'Prints completions for a shell'
complete -c doppel -n "__fish_doppel_using_subcommand help; and not __fish_seen_subcommand_from run env info status trace record replay doctor fault core smi completions help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'

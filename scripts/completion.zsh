_lockstep() {
    local candidate names
    local -a whole open
    for candidate in "${(@f)$(_lockstep_candidates "${(@)words[1,CURRENT]}")}"; do
        case $candidate in
        *FILES) names=_files ;;
        *FOLDERS) names='_files -/' ;;
        *=) open+=("$candidate") ;;
        ?*) whole+=("$candidate") ;;
        esac
    done
    compadd -a whole
    compadd -S '' -a open
    if [[ -n $names ]]; then
        compset -P '--*='
        ${=names}
    fi
}
_lockstep "$@"

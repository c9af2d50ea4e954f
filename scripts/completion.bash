_lockstep() {
    local line=${COMP_LINE:0:COMP_POINT} words word begin="" candidate names
    read -ra words <<<"$line"
    case $line in *[[:space:]]) words+=("") ;; esac
    word=${words[-1]}
    # bash completes only what follows the last =.
    case $COMP_WORDBREAKS in *=*) begin=${word%"${word##*=}"} ;; esac
    COMPREPLY=()
    while read -r candidate; do
        names=()
        case $candidate in
        *FILES) mapfile -t names < <(compgen -f -- "${word#--*=}") ;;
        *FOLDERS) mapfile -t names < <(compgen -d -- "${word#--*=}") ;;
        "$word"*) COMPREPLY+=("${candidate#"$begin"}") ;;
        esac
        [ ${#names[@]} = 0 ] || compopt -o filenames 2>/dev/null || true
        COMPREPLY+=("${names[@]}")
    done < <(_lockstep_candidates "${words[@]}")
    case ${COMPREPLY[0]-} in *=) compopt -o nospace 2>/dev/null || true ;; esac
}
complete -F _lockstep lockstep lockstep-cc

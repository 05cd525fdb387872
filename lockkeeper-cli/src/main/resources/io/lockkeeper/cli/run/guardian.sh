# Ends the command's process group when lockkeeper is gone, however it went. Started as: sh -c THIS guardian TENTHS
# Its standard input is a pipe that only lockkeeper writes to: the end of it is the end of lockkeeper.
# The command waits behind a gate, a named pipe that is held open here, until its group is known; if lockkeeper or the
# guardian dies before that, the gate closes and the command never begins.
trap '' INT TERM HUP PIPE
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
mkfifo -m 600 "$folder/gate" || exit 1
exec 3<>"$folder/gate"
echo "$folder/gate"

group=
while read -r word argument; do
    case $word in
    group) group=$argument ;;
    open) echo open >&3 ;;
    ask) if kill -0 "-$group" 2>/dev/null; then echo alive; else echo gone; fi ;;
    leave) exit 0 ;;
    *) kill "-$word" "-$group" 2>/dev/null ;;
    esac
done

exec 3>&-
[ -n "$group" ] || exit 0
kill -TERM "-$group" 2>/dev/null
kill -CONT "-$group" 2>/dev/null
tenths=$1
while [ "$tenths" -gt 0 ]; do
    kill -0 "-$group" 2>/dev/null || exit 0
    sleep 0.1
    tenths=$((tenths - 1))
done
kill -KILL "-$group" 2>/dev/null
exit 0

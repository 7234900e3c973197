// The completion scripts. They know nothing but how to ask: what there is to complete is told by the hidden command
// `__complete`, so that a script never grows old. Ids come from plans that others may have written, so nothing that was
// answered is ever expanded or run.
import { filesLines } from './complete.ts';

const planFiles = filesLines['plan-files'];
const anyFiles = filesLines['any-files'];

const bash = `# signalbox completion for bash:  eval "$(signalbox completion bash)"
_signalbox() {
  local line current="\${COMP_WORDS[COMP_CWORD]}" files=""
  [ "$current" = "=" ] && current=""
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in ${planFiles}|${anyFiles}) files="$line"; break ;; esac
    printf -v line '%q' "\${line%%$'\\t'*}"
    line="\${line//\\\\,/,}"
    COMPREPLY+=("$line")
  done < <("\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "$current" 2>/dev/null)
  [ -z "$files" ] && return
  compopt -o filenames 2>/dev/null
  while IFS= read -r line; do
    case "$files $line" in
      ${anyFiles}*|*.md|*.markdown|*.yaml|*.yml) COMPREPLY+=("$line") ;;
      *) [ -d "$line" ] && COMPREPLY+=("$line") ;;
    esac
  done < <(compgen -f -- "$current")
}
complete -F _signalbox signalbox
`;

const zsh = `#compdef signalbox
# signalbox completion for zsh:  eval "$(signalbox completion zsh)"
_signalbox() {
  local -a answer texts shown
  local line
  answer=("\${(@f)$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  case "\${answer[1]}" in
    ${planFiles}) _files -g '(*.md|*.markdown|*.yaml|*.yml)(-.)'; return ;;
    ${anyFiles}) _files; return ;;
  esac
  for line in "\${answer[@]}"; do
    [[ -z "$line" ]] && continue
    texts+=("\${line%%$'\\t'*}")
    shown+=("\${line%%$'\\t'*}  \${line#*$'\\t'}")
  done
  (( \${#texts} )) && compadd -l -d shown -a texts
}
(( \${+functions[compdef]} )) && compdef _signalbox signalbox
`;

const fish = `# signalbox completion for fish:  signalbox completion fish | source
function __signalbox_complete
    set -l typed (commandline -opc) (commandline -ct)
    set -l answer ($typed[1] __complete -- $typed[2..-1] 2>/dev/null)
    switch "$answer[1]"
        case ${planFiles}
            for suffix in .md .markdown .yaml .yml
                __fish_complete_suffix $suffix
            end
            return
        case ${anyFiles}
            __fish_complete_path (commandline -ct)
            return
    end
    for line in $answer
        printf '%s\\n' $line
    end
end
complete -c signalbox -f -a '(__signalbox_complete)'
`;

export const completionScripts: Readonly<Record<string, string>> = { bash, zsh, fish };

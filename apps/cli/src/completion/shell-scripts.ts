/** The shells that complete the words of `recollect`. */
export type Shell = 'bash' | 'fish' | 'powershell' | 'zsh';

/** Keeps `String.raw` from reading a shell's parameters as its own. */
const $ = '$';

/**
 * The script that a shell reads, per shell. Each passes the typed words to `recollect complete -- WORDS`, which prints
 * a line for each value: the value, a tab and a description. Values are stored text, so no script evaluates them, and
 * each is quoted when it is inserted. Typed words are unquoted without evaluating them, since they may be values from
 * before. The scripts of `@bomb.sh/tab` pass both to `eval`, `compgen -W` or `Invoke-Expression`.
 */
export const SHELL_SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: String.raw`# bash completion for recollect

# Sets REPLY to a word without its quotes and backslashes.
__recollect_unquote() {
    local text=$1 quote='' char i
    REPLY=''
    for ((i = 0; i < ${$}{#text}; i++)); do
        char=${$}{text:i:1}
        if [[ $char == \\ && $quote != \' ]]; then
            ((++i))
            REPLY+=${$}{text:i:1}
        elif [[ $char == "$quote" ]]; then
            quote=''
        elif [[ -z $quote && ($char == \' || $char == \") ]]; then
            quote=$char
        else
            REPLY+=$char
        fi
    done
}

_recollect() {
    local -a words=() lines=()
    local rest=${$}{COMP_LINE:0:COMP_POINT} head='' last='' text i REPLY
    # Bash also splits words at : and =. Join the parts that no white space separates.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        text=${$}{rest#"${$}{rest%%[![:space:]]*}"}
        last=${$}{COMP_WORDS[i]}
        ((i < COMP_CWORD)) || last=$text
        if [[ $text == "$rest" && i -gt 0 ]]; then
            head=${$}{words[-1]}
            words[-1]+=$last
        else
            head=''
            words+=("$last")
        fi
        rest=${$}{text#"$last"}
    done
    # Bash replaces only the text after the last separator.
    if [[ $last == [:=]* ]]; then
        head+=${$}{last%%[!:=]*}
        last=${$}{last#"${$}{last%%[!:=]*}"}
    fi
    __recollect_unquote "$head"
    head=$REPLY
    for i in "${$}{!words[@]}"; do
        __recollect_unquote "${$}{words[i]}"
        words[i]=$REPLY
    done
    [[ ${$}{words[-1]} != --*=* ]] || head=${$}{head#--*=}
    mapfile -t lines < <(recollect complete -- "${$}{words[@]:1}" 2> /dev/null)
    COMPREPLY=()
    for text in "${$}{lines[@]}"; do
        [[ $text != :* ]] || continue
        text=${$}{text%%$'\t'*}
        text=${$}{text:${$}{#head}}
        case $last in
            \'*) text=${$}{text//\'/\'\\\'\'} ;;
            \"*)
                # An exclamation mark cannot be quoted there.
                [[ $text != *'!'* ]] || continue
                text=${$}{text//\\/\\\\}
                text=${$}{text//\"/\\\"}
                text=${$}{text//\$/\\\$}
                text=${$}{text//\`/\\\`}
                ;;
            *) printf -v text %q "$text" ;;
        esac
        COMPREPLY+=("$text")
    done
}

complete -F _recollect recollect`,

  zsh: String.raw`#compdef recollect
compdef _recollect recollect

_recollect() {
    local -a lines values descriptions
    local line
    lines=("${$}{(@f)$(recollect complete -- "${$}{(@Q)words[2,CURRENT-1]}" "${$}{(Q)PREFIX}" 2> /dev/null)}")
    for line in "${$}{lines[@]}"; do
        [[ -n $line && $line != :* ]] || continue
        values+=("${$}{line%%$'\t'*}")
        descriptions+=("${$}{line//$'\t'/  }")
    done
    compset -P '--*='
    (( $#values )) && compadd -l -d descriptions -a values
}

# Not while the file is read.
[[ ${$}{funcstack[1]} != _recollect ]] || _recollect "$@"`,

  fish: String.raw`# fish completion for recollect

function __recollect_complete
    set -l words (commandline -opc)
    recollect complete -- $words[2..-1] (string unescape -- (commandline -ct); or echo '') 2> /dev/null | string match --invert --regex '^:\d+$'
end

complete -c recollect -e
complete -c recollect -f -a '(__recollect_complete)'`,

  powershell: String.raw`# PowerShell completion for recollect

Register-ArgumentCompleter -Native -CommandName recollect -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { if ($null -ne $_.Value) { [string]$_.Value } else { $_.Extent.Text } })
    $typed = $wordToComplete.Trim("'", '"')
    # Older versions drop an empty argument.
    if ($typed -eq '' -and $PSVersionTable.PSVersion -lt [version]'7.3') { $typed = '""' }
    & recollect complete '--' @words $typed 2> $null | Where-Object { $_ -notmatch '^:\d+$' } | ForEach-Object {
        $value, $description = $_.Split([char]9, 2)
        $text = $value
        if ($value -notmatch '^[\w.-][\w./:=-]*$') {
            $text = "'" + [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($value) + "'"
        }
        if (-not $description) { $description = $value }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $description)
    }
}`,
};

import { type CommandDeclaration, type LocalCommand, UsageFault } from './command.ts';

type Word = { word: string; help: string };
/** What can follow the words typed so far. */
type Place = {
  /** 'key ' or, for a whole command, 'key create '. Arguments may come after the latter. */
  typed: string;
  isCommand: boolean;
  words: Word[];
  /** Options after which a value comes. */
  takingValues: string[];
  /** Whether arguments come besides options. */
  takesArguments: boolean;
};

const SHELLS: Record<string, { script(places: Place[]): string; use: string }> = {
  bash: { script: bashScript, use: 'source <(semana completion bash)   # in ~/.bashrc' },
  zsh: { script: zshScript, use: 'source <(semana completion zsh)    # in ~/.zshrc, after compinit' },
  fish: { script: fishScript, use: 'semana completion fish | source    # in ~/.config/fish/config.fish' },
};
const NAMES = Object.keys(SHELLS).join(', ');

/** Completion in the operator's shell, from what the commands declare. */
export function completionCommand(commands: () => readonly CommandDeclaration[]): LocalCommand {
  return {
    name: 'completion',
    group: 'Service',
    summary: 'print a script that completes commands and options in your shell',
    positionals: [{ name: 'SHELL', help: `one of ${NAMES}` }],
    examples: Object.values(SHELLS).map(({ use }) => use),
    async runLocally({ positionals: [shell = ''] }, print) {
      const found = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
      if (!found) throw new UsageFault(`There is no completion for '${shell}'; there is for ${NAMES}.`);
      print(found.script(placesOf(commands())));
    },
  };
}

function placesOf(commands: readonly CommandDeclaration[]): Place[] {
  const groups = new Map<string, Word[]>([['', []]]);
  const add = (typed: string, word: Word) => {
    const words = groups.get(typed) ?? [];
    if (!words.some((known) => known.word === word.word)) groups.set(typed, [...words, word]);
  };
  for (const { name, summary } of commands) {
    let typed = '';
    for (const word of name.split(' ')) {
      const reached = `${typed}${word}`;
      add(typed, { word, help: reached === name ? summary : `${reached} ...` });
      typed = `${reached} `;
    }
  }
  add('', { word: 'help', help: 'explain a command' });
  add('', { word: '--version', help: 'say which release this is' });
  const ofGroups = [...groups].map(([typed, words]) => ({
    typed,
    words,
    isCommand: false,
    takingValues: [],
    takesArguments: false,
  }));
  return [...ofGroups, ...commands.map(placeAfter)];
}

function placeAfter({ name, options = {}, positionals = [] }: CommandDeclaration): Place {
  const entries = Object.entries(options);
  return {
    typed: `${name} `,
    isCommand: true,
    words: [
      ...entries.map(([option, { help }]) => ({ word: `--${option}`, help })),
      { word: '--help', help: 'explain the command' },
    ],
    takingValues: entries.filter(([, { value }]) => value).map(([option]) => `--${option}`),
    takesArguments: positionals.length > 0,
  };
}

/** Within single quotes, for bash and zsh. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const pattern = ({ typed, isCommand }: Place) => `'${typed}'${isCommand ? '*' : ''}`;

// Where a value or an argument comes, the shell's own completion of files applies.

function bashScript(places: Place[]): string {
  const cases = places.map((place) => {
    const words = place.words.map(({ word }) => word).join(' ');
    const values = ` ${place.takingValues.join(' ')} `;
    return `    ${pattern(place)}) words='${words}' values='${values}' arguments=${place.takesArguments} ;;`;
  });
  return `_semana() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local word typed='' words='' values='' arguments=false
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && break
    typed+="$word "
  done
  case "\${typed#help }" in
${cases.join('\n')}
  esac
  [[ $values == *" $previous "* ]] && return
  [[ $arguments == true && $current != -* ]] && return
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _semana semana`;
}

function zshScript(places: Place[]): string {
  const cases = places.map((place) => {
    const described = place.words.map(({ word, help }) => quoted(`${word}:${help.replaceAll(':', '\\:')}`));
    const values = ` ${place.takingValues.join(' ')} `;
    return `    ${pattern(place)}) found=(${described.join(' ')}); values='${values}'; arguments=${place.takesArguments} ;;`;
  });
  return `#compdef semana
_semana() {
  local word typed='' values='' arguments=false
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && break
    [[ -n $word ]] && typed+="$word "
  done
  case "\${typed#help }" in
${cases.join('\n')}
  esac
  if [[ $values == *" $words[CURRENT-1] "* || ( $arguments == true && $PREFIX != -* ) ]]; then
    _files
  else
    _describe semana found
  fi
}
if [[ $funcstack[1] == _semana ]]; then _semana "$@"; else compdef _semana semana; fi`;
}

function fishScript(places: Place[]): string {
  const fishQuoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = places.flatMap((place) => {
    const condition = fishQuoted(`__semana_${place.isCommand ? 'in' : 'at'} ${fishQuoted(place.typed)}`);
    const files = place.takesArguments ? [`complete -c semana -n ${condition} -F`] : [];
    const words = place.words.map(({ word, help }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      const value = place.takingValues.includes(word) ? ' -r -F' : '';
      return `complete -c semana -n ${condition} ${what}${value} -d ${fishQuoted(help)}`;
    });
    return [...files, ...words];
  });
  return `function __semana_typed
  set -l typed ''
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and break
    set typed "$typed$word "
  end
  string replace -r '^help ' '' -- $typed
end
function __semana_at
  test (__semana_typed) = "$argv[1]"
end
function __semana_in
  string match -q -- "$argv[1]*" (__semana_typed)
end
complete -c semana -f
${lines.join('\n')}`;
}

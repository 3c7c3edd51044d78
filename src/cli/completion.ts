import { UsageError } from '#platform/command-line/command.ts';
import type { ManifestCommand } from './manifest.ts';

// A shell calls `semana __complete WORDS...` to get the candidates. If there are none, the shell completes file names.

/** `installation` is a line that loads the script. Its comment names the shell's configuration file. */
type ShellScript = { script: string; installation: string };
const SCRIPTS: Record<string, ShellScript> = {
  bash: {
    installation: 'source <(semana completion bash)   # in ~/.bashrc',
    script: `_semana() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" | cut -f1))
}
complete -o default -F _semana semana`,
  },
  zsh: {
    installation: 'source <(semana completion zsh)    # in ~/.zshrc, after compinit',
    script: `#compdef semana
_semana() {
  local -a found
  found=("\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" | sed 's/:/\\\\:/g; s/\\t/:/')}")
  if [[ -n $found ]]; then _describe semana found; else _files; fi
}
if [[ $funcstack[1] == _semana ]]; then _semana "$@"; else compdef _semana semana; fi`,
  },
  fish: {
    installation: 'semana completion fish | source    # in ~/.config/fish/config.fish',
    script: `complete -c semana -a '(semana __complete (commandline -opc)[2..-1] (commandline -ct))'`,
  },
};
const SHELLS = Object.keys(SCRIPTS).join(', ');

export const COMPLETION_COMMAND: ManifestCommand = {
  name: 'completion',
  group: 'Service',
  summary: 'print a script that completes commands, options and values in your shell',
  positionals: [{ name: 'SHELL', help: `one of ${SHELLS}` }],
  examples: Object.values(SCRIPTS).map(({ installation }) => installation),
};

export function findCompletionScript(shell: string): string {
  const shellScript = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (!shellScript)
    throw new UsageError(`There is no completion for '${shell}'. Supported shells: ${SHELLS}.`);
  return shellScript.script;
}

export function complete(commands: readonly ManifestCommand[], words: readonly string[]): string[] {
  const typedWords = words[0] === 'help' ? words.slice(1) : words;
  const currentWord = typedWords.at(-1) ?? '';
  const previousWords = typedWords.slice(0, -1);
  const command = commands.find(({ name }) => name.split(' ').every((word, i) => previousWords[i] === word));
  const candidates = command
    ? listOptions(command, previousWords, currentWord)
    : listNextWords(commands, previousWords);
  return candidates
    .filter(([word]) => word.startsWith(currentWord))
    .map(([word, help]) => `${word}\t${help.split('\n')[0]}`);
}

type Candidate = readonly [word: string, help: string];

function listOptions(
  command: ManifestCommand,
  previousWords: readonly string[],
  currentWord: string,
): Candidate[] {
  const previousWord = previousWords.at(-1) ?? '';
  const option = previousWord.startsWith('--') ? command.options?.[previousWord.slice(2)] : undefined;
  if (option?.value) return (option.choices ?? []).map((choice) => [choice, '']);
  if (!currentWord.startsWith('-') && (command.positionals ?? []).length > 0) return [];
  return [
    ...Object.entries(command.options ?? {}).map(([name, { help }]) => [`--${name}`, help] as const),
    ['--help', 'explain the command'],
  ];
}

function listNextWords(commands: readonly ManifestCommand[], previousWords: readonly string[]): Candidate[] {
  const nextWords = new Map<string, string>();
  for (const { name, summary } of commands) {
    const words = name.split(' ');
    if (!previousWords.every((word, i) => words[i] === word)) continue;
    const word = words[previousWords.length];
    if (word !== undefined)
      // A group of commands has no summary.
      nextWords.set(word, words.length === previousWords.length + 1 ? summary : `${word} ...`);
  }
  if (previousWords.length === 0)
    nextWords.set('help', 'explain a command').set('--version', 'print the release');
  return [...nextWords];
}

import { aligned, bold, type CommandDeclaration } from './command.ts';
import { didYouMean, suggestCommand } from './command-suggestion.ts';

export function commandHelp(command: CommandDeclaration): string {
  const positionals = command.positionals ?? [];
  const options = Object.entries(command.options ?? {});
  const shape = positionals.map(({ name, optional }) => (optional ? `[${name}]` : name));
  const rows = [
    ...positionals.map(({ name, help }) => [name, help] as const),
    ...options.map(([name, { value, help }]) => [`--${name}${value ? ` ${value}` : ''}`, help] as const),
    ['--help', 'this text'] as const,
  ];
  return [
    `${bold(`semana ${command.name}`)}: ${command.summary}`,
    '',
    `${bold('Usage:')} semana ${[command.name, ...shape].join(' ')}${options.length > 0 ? ' [options]' : ''}`,
    '',
    aligned(rows),
    ...(command.details ? ['', command.details] : []),
    ...(command.examples
      ? ['', bold('Examples:'), ...command.examples.map((example) => `  ${example}`)]
      : []),
  ].join('\n');
}

/** All commands, those of a module together. */
export function overview(commands: readonly CommandDeclaration[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const chapters = Object.entries(Object.groupBy(commands, ({ group = '' }) => group));
  return [
    'semana: the command line of the weekly-credit service',
    '',
    `${bold('Usage:')} semana COMMAND [options]`,
    ...chapters.flatMap(([title, members = []]) => [
      '',
      bold(title),
      aligned(
        members.map(({ name, summary }) => [name, summary]),
        width,
      ),
    ]),
    '',
    `'semana COMMAND --help' explains each, 'semana --version' says which release this is. Settings come from the environment, as`,
    'for the service itself. Exit code: 0 done, 1 refused or failed, 2 wrong usage.',
  ].join('\n');
}

/** No command has this name: it is a group of them, or none at all. */
export function explainUnknown(
  commands: readonly CommandDeclaration[],
  words: readonly string[],
  wantsHelp: boolean,
): { text: string; code: number } {
  const option = words.findIndex((word) => word.startsWith('-'));
  const typed = option < 0 ? words : words.slice(0, option);
  const [first] = typed;
  const group = commands.filter(({ name }) => first === undefined || name.startsWith(`${first} `));
  const isGroup = typed.length <= 1 && group.length > 0;
  if (wantsHelp && isGroup) return { text: overview(group), code: 0 };
  if (first === undefined)
    return {
      text: `Unknown option '${words[0]}'.${didYouMean(words[0]!, ['--help', '--version'])} 'semana --help' lists all commands.`,
      code: 2,
    };
  if (isGroup) return { text: overview(group), code: 2 };
  const names = commands.map(({ name }) => name);
  const name = typed.slice(0, group.length > 0 ? 2 : 1).join(' ');
  return {
    text: `There is no command '${name}'.${suggestCommand(typed, names)} 'semana --help' lists them.`,
    code: 2,
  };
}

import { aligned, bold, type CommandDeclaration, columnsOf } from './command.ts';
import { didYouMean, suggestCommand } from './suggestion.ts';

export function commandHelp(command: CommandDeclaration): string {
  const positionals = command.positionals ?? [];
  const options = Object.entries(command.options ?? {});
  const shape = positionals.map(({ name, optional }) => (optional ? `[${name}]` : name));
  const rows = [
    ...positionals.map(({ name, help }) => [name, help] as const),
    ...options.map(
      ([name, { value, help, required }]) =>
        [`--${name}${value ? ` ${value}` : ''}`, `${help}${required ? ' (required)' : ''}`] as const,
    ),
    ['--help', 'this text'] as const,
  ];
  // Examples are never broken, so that they can be copied.
  const examples = command.examples?.map((example) => `  ${example}`) ?? [];
  return [
    folded([
      `${bold(`semana ${command.name}`)}: ${command.summary}`,
      '',
      `${bold('Usage:')} semana ${[command.name, ...shape].join(' ')}${options.length > 0 ? ' [options]' : ''}`,
      '',
      aligned(rows),
      ...(command.details ? ['', command.details] : []),
    ]),
    ...(examples.length > 0 ? ['', bold('Examples:'), ...examples] : []),
  ].join('\n');
}

/** All commands, those of a module together. */
export function overview(commands: readonly CommandDeclaration[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const chapters = Object.entries(Object.groupBy(commands, ({ group = '' }) => group));
  return folded([
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
    'for the service itself. Times are those of São Paulo; with --json, in UTC. Exit code: 0 done, 1 refused or failed, 2 wrong usage.',
  ]);
}

/** In a narrow terminal lines are wrapped with a hanging indent. In a pipe they stay whole. */
export function folded(paragraphs: readonly string[], columns = columnsOf(process.stdout)): string {
  const fold = (line: string): string => {
    if (line.length <= columns) return line;
    const start = /^ *(\S.*? {2,})?/.exec(line)![0].length;
    const end = line.lastIndexOf(' ', columns);
    if (end <= start) return line;
    return `${line.slice(0, end)}\n${fold(' '.repeat(start) + line.slice(end + 1))}`;
  };
  return paragraphs.join('\n').split('\n').map(fold).join('\n');
}

/** No command has this name: it is a group of commands, or unknown. */
export function explainUnknown(
  commands: readonly CommandDeclaration[],
  words: readonly string[],
  wantsHelp: boolean,
): { text: string; code: number } {
  const option = words.findIndex((word) => word.startsWith('-'));
  const typed = option < 0 ? words : words.slice(0, option);
  const under = (some: readonly string[]) =>
    commands.filter(({ name }) => some.every((word, i) => name.split(' ')[i] === word));
  const group = under(typed);
  if (wantsHelp && group.length > 0) return { text: overview(group), code: 0 };
  if (typed.length === 0)
    return {
      text: `Unknown option '${words[0]}'.${didYouMean(words[0]!, ['--help', '--version'])} 'semana --help' lists all commands.`,
      code: 2,
    };
  if (group.length > 0) return { text: overview(group), code: 2 };
  const names = commands.map(({ name }) => name);
  const wrong = typed.findIndex((_, i) => under(typed.slice(0, i + 1)).length === 0);
  const [name, help] = [typed.slice(0, wrong + 1), ['semana', ...typed.slice(0, wrong), '--help']];
  return {
    text: `There is no command '${name.join(' ')}'.${suggestCommand(typed, names)} '${help.join(' ')}' lists them.`,
    code: 2,
  };
}

import {
  alignRows,
  type CommandDeclaration,
  formatBold,
  getTerminalWidth,
  suggestSimilarWord,
} from './command.ts';

export function formatHelp(command: CommandDeclaration): string {
  const positionals = command.positionals ?? [];
  const options = Object.entries(command.options ?? {});
  const argumentNames = positionals.map(({ name, optional }) => (optional ? `[${name}]` : name));
  const argumentRows = [
    ...positionals.map(({ name, help }) => [name, help] as const),
    ...options.map(
      ([name, { value, help, required }]) =>
        [`--${name}${value ? ` ${value}` : ''}`, `${help}${required ? ' (required)' : ''}`] as const,
    ),
    ['--help', 'this text'] as const,
  ];
  // Examples are not wrapped, so that they can be copied.
  const examples = command.examples?.map((example) => `  ${example}`) ?? [];
  return [
    wrapLines([
      `${formatBold(`semana ${command.name}`)}: ${command.summary}`,
      '',
      `${formatBold('Usage:')} semana ${[command.name, ...argumentNames].join(' ')}${options.length > 0 ? ' [options]' : ''}`,
      '',
      alignRows(argumentRows),
      ...(command.details ? ['', command.details] : []),
    ]),
    ...(examples.length > 0 ? ['', formatBold('Examples:'), ...examples] : []),
  ].join('\n');
}

export function formatOverview(commands: readonly CommandDeclaration[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const sections = Object.entries(Object.groupBy(commands, ({ group = '' }) => group));
  return wrapLines([
    'semana: the command line of the weekly-credit service',
    '',
    `${formatBold('Usage:')} semana COMMAND [options]`,
    ...sections.flatMap(([title, groupCommands = []]) => [
      '',
      formatBold(title),
      alignRows(
        groupCommands.map(({ name, summary }) => [name, summary]),
        width,
      ),
    ]),
    '',
    `'semana COMMAND --help' explains a command, 'semana --version' prints the release. Settings come from the environment, as`,
    'for the service itself. Times are in São Paulo time, with --json in UTC. Exit codes: 0 success, 1 failure, 2 usage error.',
  ]);
}

/** Wraps lines with a hanging indent in a narrow terminal. In a pipe lines are not wrapped. */
export function wrapLines(paragraphs: readonly string[], columns = getTerminalWidth(process.stdout)): string {
  const wrapLine = (line: string): string => {
    if (line.length <= columns) return line;
    // The indent is the width of the left column: text up to the first two spaces in a row.
    const indentWidth = /^ *(\S.*? {2,})?/.exec(line)![0].length;
    const breakIndex = line.lastIndexOf(' ', columns);
    if (breakIndex <= indentWidth) return line;
    return `${line.slice(0, breakIndex)}\n${wrapLine(' '.repeat(indentWidth) + line.slice(breakIndex + 1))}`;
  };
  return paragraphs.join('\n').split('\n').map(wrapLine).join('\n');
}

/** Explains words that name no command: a group of commands, or an unknown name. `code` is the exit code. */
export function explainUnknownCommand(
  commands: readonly CommandDeclaration[],
  words: readonly string[],
  { wantsHelp }: { wantsHelp: boolean },
): { text: string; code: number } {
  const firstOptionIndex = words.findIndex((word) => word.startsWith('-'));
  const commandWords = firstOptionIndex < 0 ? words : words.slice(0, firstOptionIndex);
  const findGroup = (prefix: readonly string[]) =>
    commands.filter(({ name }) => prefix.every((word, i) => name.split(' ')[i] === word));
  const groupCommands = findGroup(commandWords);
  if (wantsHelp && groupCommands.length > 0) return { text: formatOverview(groupCommands), code: 0 };
  if (commandWords.length === 0)
    return {
      text: `Unknown option '${words[0]}'.${suggestSimilarWord(words[0]!, ['--help', '--version'])} 'semana --help' lists all commands.`,
      code: 2,
    };
  if (groupCommands.length > 0) return { text: formatOverview(groupCommands), code: 2 };
  const commandNames = commands.map(({ name }) => name);
  const unknownIndex = commandWords.findIndex((_, i) => findGroup(commandWords.slice(0, i + 1)).length === 0);
  const unknownName = commandWords.slice(0, unknownIndex + 1).join(' ');
  const helpCommand = ['semana', ...commandWords.slice(0, unknownIndex), '--help'].join(' ');
  return {
    text: `There is no command '${unknownName}'.${suggestCommand(commandWords, commandNames)} '${helpCommand}' lists them.`,
    code: 2,
  };
}

/** Like `suggestSimilarWord`, for commands: the words may be in another order, and arguments may follow. */
export function suggestCommand(words: readonly string[], names: readonly string[]): string {
  const sortWords = (wordList: readonly string[]) => wordList.toSorted().join(' ');
  const matchInOtherOrder = names.find((name) => {
    const nameWords = name.split(' ');
    return sortWords(words.slice(0, nameWords.length)) === sortWords(nameWords);
  });
  const groups = new Set(names.map((name) => name.split(' ')[0]!));
  const knownWords = words.length > 1 ? names : [...groups];
  const toCommandLine = (name: string) => `semana ${name}`;
  return matchInOtherOrder
    ? ` Did you mean '${toCommandLine(matchInOtherOrder)}'?`
    : suggestSimilarWord(words.slice(0, 2).join(' '), knownWords, toCommandLine);
}

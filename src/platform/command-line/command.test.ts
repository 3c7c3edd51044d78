import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { normalizePhone } from '../http/formats.ts';
import {
  type CommandContext,
  CommandError,
  destructiveCommand,
  layOutTable,
  readArguments,
  suggestSimilarWord,
  UsageError,
} from './command.ts';
import { explainUnknownCommand, formatHelp, suggestCommand, wrapLines } from './help.ts';

test('an unknown option gets a suggestion only if it resembles a known option', () => {
  const knownOptions = ['--json', '--partner', '--yes'];
  for (const typedOption of ['--jsn', '--jason', '--josn'])
    assert.equal(suggestSimilarWord(typedOption, knownOptions), " Did you mean '--json'?");
  assert.equal(suggestSimilarWord('--parnter', knownOptions), " Did you mean '--partner'?");
  for (const typedOption of ['--bogus', '--x', ''])
    assert.equal(suggestSimilarWord(typedOption, knownOptions), '', typedOption);
});

test('a command is suggested for a typo in either word, for words in another order, and if arguments follow', () => {
  const names = ['key create', 'key list', 'partner create', 'audit'];
  const suggestFor = (...words: string[]) => /'semana (.*)'/.exec(suggestCommand(words, names))?.[1];
  assert.equal(suggestFor('key', 'lits'), 'key list');
  assert.equal(suggestFor('ky', 'list'), 'key list');
  assert.equal(suggestFor('list', 'key'), 'key list');
  assert.equal(suggestFor('prtner', 'create', 'Site institucional'), 'partner create');
  assert.equal(suggestFor('adit'), 'audit');
  assert.equal(suggestFor('parner'), 'partner');
  assert.equal(suggestFor('bogus'), undefined);
  assert.equal(suggestFor('bogus', 'create'), undefined);
});

test('phone numbers are Brazilian by default, with any separators between the digits', () => {
  for (const text of [
    '+5511987650001',
    '11 98765-0001',
    '(11) 98765-0001',
    '11987650001',
    '+55 (11) 98765.0001',
    '011 98765-0001',
  ])
    assert.equal(normalizePhone(text), '+5511987650001', text);
  assert.equal(normalizePhone('+351 912 345 678'), '+351912345678');
  for (const text of [
    '',
    '98765-0001',
    '11987',
    'cus_01k9xyz',
    'call 11 98765-0001',
    '(11) 98765-0001 x',
    '+55',
  ])
    assert.equal(normalizePhone(text), null, text);
});

test('all missing arguments and options are reported together', () => {
  const command = {
    name: 'lend',
    summary: 'lend it',
    positionals: [{ name: 'THING', help: 'what' }],
    options: {
      to: { value: 'ID', help: 'whom', required: true as const },
      until: { value: 'DAY', help: 'how long', required: true as const },
      note: { value: 'TEXT', help: 'why' },
    },
  };
  assert.match(formatHelp(command), /^ {2}--to ID {6}whom \(required\)$/m);
  assert.throws(
    () => readArguments(command, ['--to', 'x']),
    new UsageError('THING is missing; --until is missing.'),
  );
  assert.equal(readArguments(command, ['book', '--to', 'x', '--until', 'y']).getRequired('until'), 'y');
});

test('in a narrow terminal, help is wrapped between words with a hanging indent', () => {
  const line = '  --to ID  whom it is lent to, by id or by phone';
  assert.equal(wrapLines([line], 30), '  --to ID  whom it is lent to,\n           by id or by phone');
  assert.equal(wrapLines([line]), line, 'without a terminal, lines are not wrapped');
  const longWord = `  ${'x'.repeat(40)}`;
  assert.equal(wrapLines([longWord], 30), longWord);
});

test('an unknown command is rejected, with a pointer to the closest help page', () => {
  const commands = ['pix orphan assign', 'pix orphan refund', 'pix orphans', 'audit'].map((name) => ({
    name,
    summary: name,
  }));
  const explainWords = (...words: string[]) => explainUnknownCommand(commands, words, { wantsHelp: false });
  assert.match(explainWords('pix', 'orphan').text, /pix orphan assign[\s\S]*pix orphan refund/);
  assert.doesNotMatch(explainWords('pix', 'orphan').text, /pix orphans/);
  assert.deepEqual(explainWords('pix', 'bogus', 'x'), {
    text: "There is no command 'pix bogus'. 'semana pix --help' lists them.",
    code: 2,
  });
  assert.match(explainWords('pix', 'orphan', 'bogus').text, /'semana pix orphan --help' lists them/);
  assert.match(explainWords('bogus').text, /'semana --help' lists them/);
});

test('a destructive command prompts on a terminal, requires --yes without one, and does nothing unless the answer is yes', async () => {
  let runCount = 0;
  const command = destructiveCommand({
    name: 'drop',
    summary: 'drop it',
    options: { gently: { help: 'lose nothing' } },
    describeLoss: (args) => (args.has('gently') ? undefined : 'All of it is lost.'),
    async run() {
      runCount += 1;
      return undefined;
    },
  });
  const run = (words: string[], ask?: CommandContext['ask']) =>
    command.run({ ...(ask && { ask }) } as CommandContext, readArguments(command, words));
  const prompts: string[] = [];
  const answerWith = (answer: string) => async (question: string) => {
    prompts.push(question);
    return answer;
  };
  await assert.rejects(
    run([]),
    (error) => error instanceof UsageError && /All of it is lost\. Use --yes/.test(error.message),
  );
  for (const answer of ['', 'y', 'no', 'yes please'])
    await assert.rejects(run([], answerWith(answer)), CommandError);
  assert.equal(runCount, 0);
  assert.equal(prompts[0], 'All of it is lost. Type yes to go on: ');
  await run([], answerWith(' YES\n'));
  await run(['--yes'], answerWith('no'));
  await run(['--gently'], answerWith('no'));
  assert.equal(prompts.length, 5, 'there is no prompt with --yes, or if nothing is lost');
  assert.equal(runCount, 3);
});

test('a table fits the terminal: the widest columns are truncated, but never the first; without a terminal nothing is truncated', () => {
  const rows = [
    ['cus_01kfx3v9e2r4s6t8w0y2a4c6e8', 'Maria Aparecida dos Santos', 'maria.aparecida@example.com'],
  ];
  const renderLines = (columns: number, { isTTY = true } = {}) =>
    layOutTable(
      ['ID', 'NAME', 'E-MAIL'],
      rows,
      Object.assign(new PassThrough(), { isTTY, columns }) as unknown as NodeJS.WriteStream,
    ).split('\n');
  /** Returns the line below the heading and its rule. */
  const renderFirstRow = (...args: Parameters<typeof renderLines>) => renderLines(...args)[2]!;
  for (const columns of [60, 70, 80, 200]) {
    for (const line of renderLines(columns))
      assert.ok(stripVTControlCharacters(line).length <= columns, line);
    assert.ok(renderFirstRow(columns).startsWith('cus_01kfx3v9e2r4s6t8w0y2a4c6e8'));
  }
  assert.match(renderFirstRow(70), /Maria .*….*maria.*…$/);
  assert.ok(renderFirstRow(200).endsWith('maria.aparecida@example.com'));
  assert.ok(renderFirstRow(20, { isTTY: false }).endsWith('maria.aparecida@example.com'));
  assert.deepEqual(
    renderLines(40),
    [
      '  ID      cus_01kfx3v9e2r4s6t8w0y2a4c6e8',
      '  NAME    Maria Aparecida dos Santos',
      '  E-MAIL  maria.aparecida@example.com',
    ],
    'in a narrow terminal, each row is a block of lines',
  );
  assert.deepEqual(
    renderLines(0),
    renderLines(200),
    'a terminal that does not report its width counts as wide',
  );
  assert.match(
    layOutTable(['A'], [['x\u001b[2J\u009b31m\r\ny']]),
    /^x \[2J 31m y$/m,
    'control characters in data cannot move the cursor',
  );
});

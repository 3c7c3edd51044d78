import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { readPhone } from '../http/formats.ts';
import { type CommandContext, CommandFault, readArguments, table, UsageFault } from './command.ts';
import { destructiveCommand } from './confirmation.ts';
import { commandHelp, explainUnknown, folded } from './help.ts';
import { didYouMean, suggestCommand } from './suggestion.ts';
import { readCustomer } from './values.ts';

test('a word that is nearly right gets a suggestion, one that is nothing like it none', () => {
  const known = ['--json', '--partner', '--yes'];
  for (const typed of ['--jsn', '--jason', '--josn'])
    assert.equal(didYouMean(typed, known), " Did you mean '--json'?");
  assert.equal(didYouMean('--parnter', known), " Did you mean '--partner'?");
  for (const typed of ['--bogus', '--x', '']) assert.equal(didYouMean(typed, known), '', typed);
});

test('a command is suggested for a slip in either word, for words in another order, and with arguments after it', () => {
  const names = ['key create', 'key list', 'partner create', 'audit'];
  const suggested = (...words: string[]) => /'semana (.*)'/.exec(suggestCommand(words, names))?.[1];
  assert.equal(suggested('key', 'lits'), 'key list');
  assert.equal(suggested('ky', 'list'), 'key list');
  assert.equal(suggested('list', 'key'), 'key list');
  assert.equal(suggested('prtner', 'create', 'Site institucional'), 'partner create');
  assert.equal(suggested('adit'), 'audit');
  assert.equal(suggested('parner'), 'partner');
  assert.equal(suggested('bogus'), undefined);
  assert.equal(suggested('bogus', 'create'), undefined);
});

test('phones are Brazilian unless they say otherwise, and one number whatever stands between the digits', () => {
  for (const text of [
    '+5511987650001',
    '11 98765-0001',
    '(11) 98765-0001',
    '11987650001',
    '+55 (11) 98765.0001',
    '011 98765-0001',
  ])
    assert.equal(readPhone(text), '+5511987650001', text);
  assert.equal(readPhone('+351 912 345 678'), '+351912345678');
  for (const text of [
    '',
    '98765-0001',
    '11987',
    'cus_01k9xyz',
    'call 11 98765-0001',
    '(11) 98765-0001 x',
    '+55',
  ])
    assert.equal(readPhone(text), null, text);
  assert.equal(readCustomer(' cus_01k9 '), 'cus_01k9');
  assert.equal(readCustomer('11 98765-0001'), '+5511987650001');
});

test('all missing options are reported together, before a confirmation', () => {
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
  assert.match(commandHelp(command), /^ {2}--to ID {6}whom \(required\)$/m);
  assert.throws(
    () => readArguments(command, ['--to', 'x']),
    new UsageFault('THING is missing; --until is missing.'),
  );
  assert.equal(readArguments(command, ['book', '--to', 'x', '--until', 'y']).required('until'), 'y');
});

test('help is broken between words where the window is narrow, and goes on below where its text began', () => {
  const line = '  --to ID  whom it is lent to, by id or by phone';
  assert.equal(folded([line], 30), '  --to ID  whom it is lent to,\n           by id or by phone');
  assert.equal(folded([line]), line, 'in a pipe it stays whole');
  const word = `  ${'x'.repeat(40)}`;
  assert.equal(folded([word], 30), word);
});

test('words that begin no command are refused, with the nearest help', () => {
  const commands = ['pix orphan assign', 'pix orphan refund', 'pix orphans', 'audit'].map((name) => ({
    name,
    summary: name,
  }));
  const explained = (...words: string[]) => explainUnknown(commands, words, false);
  assert.match(explained('pix', 'orphan').text, /pix orphan assign[\s\S]*pix orphan refund/);
  assert.doesNotMatch(explained('pix', 'orphan').text, /pix orphans/);
  assert.deepEqual(explained('pix', 'bogus', 'x'), {
    text: "There is no command 'pix bogus'. 'semana pix --help' lists them.",
    code: 2,
  });
  assert.match(explained('pix', 'orphan', 'bogus').text, /'semana pix orphan --help' lists them/);
  assert.match(explained('bogus').text, /'semana --help' lists them/);
});

test('a destructive command asks where somebody can answer, needs --yes where nobody can, and does nothing on any other answer', async () => {
  const done: string[] = [];
  const command = destructiveCommand({
    name: 'drop',
    summary: 'drop it',
    options: { gently: { help: 'lose nothing' } },
    destroys: (args) => (args.has('gently') ? undefined : 'All of it is lost.'),
    async run() {
      done.push('dropped');
      return undefined;
    },
  });
  const run = (words: string[], ask?: CommandContext['ask']) =>
    command.run({ ...(ask && { ask }) } as CommandContext, readArguments(command, words));
  const asked: string[] = [];
  const answering = (answer: string) => async (question: string) => {
    asked.push(question);
    return answer;
  };
  await assert.rejects(
    run([]),
    (error) => error instanceof UsageFault && /All of it is lost\. Say --yes/.test(error.message),
  );
  for (const answer of ['', 'y', 'no', 'yes please'])
    await assert.rejects(run([], answering(answer)), CommandFault);
  assert.deepEqual(done, []);
  assert.equal(asked[0], 'All of it is lost. Type yes to go on: ');
  await run([], answering(' YES\n'));
  await run(['--yes'], answering('no'));
  await run(['--gently'], answering('no'));
  assert.equal(asked.length, 5, 'whoever said --yes is not asked, nor where nothing is lost');
  assert.equal(done.length, 3);
});

test('a table fits the window: the widest columns are cut, never the first; in a pipe nothing is', () => {
  const rows = [
    ['cus_01kfx3v9e2r4s6t8w0y2a4c6e8', 'Maria Aparecida dos Santos', 'maria.aparecida@example.com'],
  ];
  const shown = (columns: number, isTTY = true) =>
    table(
      ['ID', 'NAME', 'E-MAIL'],
      rows,
      Object.assign(new PassThrough(), { isTTY, columns }) as unknown as NodeJS.WriteStream,
    ).split('\n');
  for (const columns of [60, 70, 80, 200]) {
    for (const line of shown(columns)) assert.ok(stripVTControlCharacters(line).length <= columns, line);
    assert.ok(shown(columns)[2]!.startsWith(rows[0]![0]!));
  }
  assert.match(shown(70)[2]!, /Maria .*….*maria.*…$/);
  assert.ok(shown(200)[2]!.endsWith('maria.aparecida@example.com'));
  assert.ok(shown(20, false)[2]!.endsWith('maria.aparecida@example.com'));
  assert.deepEqual(
    shown(40),
    [
      '  ID      cus_01kfx3v9e2r4s6t8w0y2a4c6e8',
      '  NAME    Maria Aparecida dos Santos',
      '  E-MAIL  maria.aparecida@example.com',
    ],
    'narrower than that, a row is a block',
  );
  assert.deepEqual(shown(0), shown(200), 'some terminals do not say how wide they are');
  assert.match(
    table(['A'], [['x\u001b[2J\u009b31m\r\ny']]),
    /^x \[2J 31m y$/m,
    'nobody else moves the cursor',
  );
});

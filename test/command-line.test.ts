import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { commandHelp } from '#platform/command.ts';
import { listSettings } from '#platform/config.ts';
import { commandsOf, modules, readConfiguration } from '../src/modules.ts';
import { eventually } from './harness.ts';
import { newDatabase, query, run, type Service, semana, startService } from './processes.ts';

// The command line as a process, beside a running service.

const DATABASE_URL = await newDatabase();
const directory = await mkdtemp(join(tmpdir(), 'semana-command-line-'));
let service: Service;
before(async () => {
  service = await startService({ DATABASE_URL });
});
after(() => rm(directory, { recursive: true, force: true }));

const here = (...words: string[]) => semana(words, { DATABASE_URL });

/** Standard output of a command that must do what it is told. */
async function output(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await here(...words);
  assert.equal(code, 0, stderr);
  return stdout.trim();
}

async function status(key: string): Promise<number> {
  return (await fetch(`${service.frontUrl}/public/categories`, { headers: { 'x-api-key': key } })).status;
}

async function merchantName(slug: string): Promise<string | undefined> {
  const address = `${service.frontUrl}/public/merchants/${slug}`;
  const response = await fetch(address, { headers: { 'x-api-key': 'sandbox-demo-key' } });
  return ((await response.json()) as { name?: string }).name;
}

async function inTwos<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let i = 0; i < items.length; i += 2) await Promise.all(items.slice(i, i + 2).map(work));
}

test('the help of a command names every argument and option, and every command is listed', async () => {
  const { code, stdout: overview } = await semana(['--help']);
  assert.equal(code, 0);
  const commands = commandsOf(() => readConfiguration({}));
  for (const command of commands) {
    assert.match(overview, new RegExp(`^  ${command.name} +${command.summary[0]}`, 'm'));
    const help = commandHelp(command);
    assert.match(help, new RegExp(`^semana ${command.name}: .+\n\nUsage: semana ${command.name}`));
    const options = Object.keys(command.options ?? {}).map((option) => `--${option}`);
    const words = (command.positionals ?? []).map(({ name }) => name);
    for (const told of [...words, ...options, '--help']) {
      assert.ok(help.includes(`\n  ${told} `), `${command.name} tells of ${told}`);
    }
  }
  await inTwos(['import merchants', 'migrate', 'demo'], async (name) => {
    const help = await semana([...name.split(' '), '--help']);
    assert.deepEqual([help.code, help.stderr], [0, '']);
    assert.match(help.stdout, new RegExp(`^semana ${name}: `));
  });
});

test('semana start --help tells of every setting, and starts nothing', async () => {
  const { code, stdout } = await semana(['start', '--help']);
  assert.equal(code, 0);
  assert.match(stdout, /^semana start: run the service/);
  for (const { name } of listSettings(modules)) assert.ok(stdout.includes(`\n  ${name} `), name);
});

test('help is found in every way people look for it', async () => {
  const { stdout: overview } = await semana(['--help']);
  for (const words of [[], ['help']]) {
    const { code, stdout } = await semana(words);
    assert.deepEqual({ code, stdout }, { code: 0, stdout: overview }, words.join());
  }
  const { stdout: keyCreate } = await semana(['key', 'create', '--help']);
  assert.equal((await semana(['help', 'key', 'create'])).stdout, keyCreate);
  const group = await semana(['key', '--help']);
  assert.equal(group.code, 0);
  assert.match(group.stdout, /key create[\s\S]*key list[\s\S]*key rotate[\s\S]*key revoke/);
  assert.doesNotMatch(group.stdout, /partner create/);
});

test('a reader that has had enough is no failure', async () => {
  const line = `"${process.execPath}" bin/semana.js --help | true`;
  const { code, stderr } = await run(['/bin/sh', '-c', line]).ended;
  assert.deepEqual([code, stderr], [0, '']);
});

test('2 for what cannot be meant, with a line that says what, and nothing on standard output', async () => {
  const cases: Array<[string[], RegExp]> = [
    [['bogus'], /^There is no command 'bogus'\. 'semana --help' lists them\.\n$/],
    [['help', 'bogus'], /^There is no command 'bogus'/],
    [['key'], /key create/],
    [['--bogus'], /^semana: the command line/],
    [['partner', 'list', '--bogus'], /^Unknown option '--bogus'\. See 'semana partner list --help'\.\n$/],
    [['partner', 'create'], /^NAME is missing\. See 'semana partner create --help'\.\n$/],
    [['key', 'create', '--partner'], /^Option '--partner <value>' argument missing\. See/],
    [
      ['import', 'merchants', 'x.csv', '--dry-run=yes'],
      /^Option '--dry-run' does not take an argument\. See/,
    ],
    [['start', '--port', '3'], /^Unknown option '--port'\. See 'semana start --help'\.\n$/],
  ];
  await inTwos(cases, async ([words, told]) => {
    const { code, stdout, stderr } = await semana(words);
    assert.equal(code, 2, words.join(' '));
    assert.match(stderr, told);
    assert.equal(stdout, '');
  });
});

test('a partner is created once and listed, for people and for scripts', async () => {
  const told = await output('partner', 'create', 'Site institucional');
  const [, id] = /^Partner (ptn_\w+) created\./.exec(told)!;
  assert.match(told, new RegExp(`semana key create --partner ${id} --scopes public$`));
  const again = await here('partner', 'create', 'Site institucional');
  assert.equal(again.code, 1);
  assert.equal(
    again.stderr,
    `There is a partner named 'Site institucional' already. See 'semana partner list'.\n`,
  );
  assert.match(await output('partner', 'list'), new RegExp(`^${id} +Site institucional +0 `, 'm'));
  const partners = (await output('partner', 'list', '--json')).split('\n').map((line) => JSON.parse(line));
  assert.equal(partners.find((partner) => partner.id === id).name, 'Site institucional');
});

test('a key that is created, rotated and revoked works and stops working at once on the running service', async () => {
  const created = await here(
    'key',
    'create',
    '--partner',
    'Site institucional',
    '--label',
    'site',
    '--limit',
    '600',
  );
  assert.equal(created.code, 0);
  const key = created.stdout.trim();
  assert.match(key, /^semana_sandbox_\w{43}$/, 'standard output is the key and nothing else');
  const [, id] = /^Key (key_\w+) issued\. Keep it now: it is not shown again\.\n/.exec(created.stderr)!;
  assert.match(created.stderr, /\nNo origins: servers only\./);
  await eventually('the new key works', async () => (await status(key)) === 200);

  const listed = await output('key', 'list', '--partner', 'Site institucional');
  assert.match(
    listed,
    new RegExp(
      `^${id} +Site institucional +semana_sandbox_\\w{4}… +site +public +600 +none: servers only +- +active`,
      'm',
    ),
  );
  const json = await output('key', 'list', '--json');
  assert.ok(!listed.includes(key) && !json.includes(key), 'it is shown once');
  assert.ok(!/hash/.test(json));

  await output('key', 'create', '--partner', 'Site institucional', '--backend', '--origins', '*');
  assert.match(await output('key', 'list'), / {2}\* +yes +active/m);

  const rotated = await here('key', 'rotate', id!, '--overlap', '1h');
  const second = rotated.stdout.trim();
  const [, secondId] = /^Key (key_\w+) issued/.exec(rotated.stderr)!;
  assert.match(rotated.stderr, /The old key works until \d{4}-.*Z\.\n$/);
  await eventually('the successor works', async () => (await status(second)) === 200);
  assert.equal(await status(key), 200, 'and the old one, for an hour');
  assert.match(await output('key', 'list'), new RegExp(`^${id} .* until `, 'm'));

  const third = await output('key', 'rotate', secondId!, '--overlap', '0m');
  await eventually('the next successor works', async () => (await status(third)) === 200);
  await eventually('the one before it has ended', async () => (await status(second)) === 401);

  assert.equal(await output('key', 'revoke', id!), `Key ${id} is revoked.`);
  await eventually('the revoked key is refused', async () => (await status(key)) === 401);
  assert.match(await output('key', 'list'), new RegExp(`^${id} .* revoked \\d{4}-`, 'm'));
});

test('1 for what cannot be done, 2 for what cannot be meant about keys, each with the reason', async () => {
  const cases: Array<[string[], number, RegExp]> = [
    [['key', 'create'], 2, /^--partner is missing\./],
    [
      ['key', 'create', '--partner', 'nobody'],
      1,
      /^There is no partner 'nobody'\. See 'semana partner list'\.\n$/,
    ],
    [['key', 'revoke', 'key_x'], 1, /^There is no key key_x\. See 'semana key list'\.\n$/],
    [
      ['key', 'rotate', 'key_x', '--overlap', 'soon'],
      2,
      /^--overlap is 'soon'; write a number with m, h or d/,
    ],
    [['key', 'create', '--partner', 'Operator', '--scopes', 'all'], 2, /^'all' is not a scope; there are /],
    [
      ['key', 'create', '--partner', 'Operator', '--origins', 'example.com'],
      2,
      /^'example.com' is not an origin/,
    ],
  ];
  await inTwos(cases, async ([words, expected, told]) => {
    const { code, stderr } = await here(...words);
    assert.equal(code, expected, stderr);
    assert.match(stderr, told);
  });
});

test('what is imported from a file or standard input is seen at once by the running service', async () => {
  const file = join(directory, 'merchants.csv');
  await writeFile(file, 'slug;name;category\nloja-nova;Loja Nova;moda\nruim;;moda\n');
  const imported = await here('import', 'merchants', file);
  assert.deepEqual(imported, {
    code: 1,
    signal: null,
    stdout: 'Imported 1 merchants; 1 bad lines were left out.\n',
    stderr: 'line 3: name: is missing\n',
  });
  await eventually('it is there', async () => (await merchantName('loja-nova')) === 'Loja Nova');

  const line = '{"slug":"loja-nova","name":"Loja Velha","category":"moda"}';
  const piped = await semana(['import', 'merchants', '-', '--format', 'jsonl'], { DATABASE_URL }, line);
  assert.equal(piped.code, 0, piped.stderr);
  await eventually('it is changed', async () => (await merchantName('loja-nova')) === 'Loja Velha');

  const missing = await here('import', 'merchants', join(directory, 'nowhere.csv'));
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /^'.*nowhere.csv' cannot be read: ENOENT.*\n$/);
});

test('20,000 lines are imported in bounded memory, the bad ones told', async () => {
  const file = join(directory, 'many.csv');
  const description = 'Uma loja de bairro, com "aspas" e, às vezes, vírgulas. '
    .repeat(20)
    .replaceAll('"', '""');
  const rows = Array.from({ length: 20_000 }, (_, i) =>
    i % 5_000 === 4_999 ? `loja-${i},Loja,moda` : `loja-${i},Loja ${i},moda,"${description}"`,
  );
  const table = `slug,name,category,description\n${rows.join('\n')}\n`;
  await writeFile(file, table);
  assert.ok(table.length > 22_000_000);

  // Beside no service: taking the merchants in is another matter.
  const env = { DATABASE_URL: await newDatabase(), NODE_OPTIONS: '--max-old-space-size=48' };
  await semana(['import', 'categories', '-', '--format', 'csv'], env, 'slug,name\nmoda,Moda\n');
  const { code, stdout, stderr } = await semana(['import', 'merchants', file], env);
  assert.equal(stdout, 'Imported 19996 merchants; 4 bad lines were left out.\n', stderr);
  assert.equal(code, 1);
  assert.deepEqual(
    stderr.trim().split('\n'),
    [5_001, 10_001, 15_001, 20_001].map(
      (line) => `line ${line}: the heading names 4 columns, this row has 3`,
    ),
  );
  const stored = await query<{ count: number }>(env.DATABASE_URL, 'select count(*)::int from merchants');
  assert.deepEqual(stored, [{ count: 19_996 }]);
});

test('migrate says that there is nothing to do; demo sets the demo back and leaves the rest alone', async () => {
  assert.equal(await output('migrate'), 'The database is up to date.');
  await query(DATABASE_URL, `update merchants set name = 'Outra' where slug = 'farmacia-sao-joao'`);
  await query(DATABASE_URL, `delete from faq_entries`);
  await eventually('it is changed', async () => (await merchantName('farmacia-sao-joao')) === 'Outra');
  assert.equal(await output('demo'), 'The demo data is in place.');
  await eventually(
    'it is back',
    async () => (await merchantName('farmacia-sao-joao')) === 'Farmácia São João',
  );
  assert.equal(await merchantName('loja-nova'), 'Loja Velha');
  assert.equal(await status('sandbox-demo-key'), 200);
});

test('demo --reset asks for --yes; then only the demo is left, also for the service that runs', async () => {
  const { code, stderr } = await here('demo', '--reset');
  assert.deepEqual(
    [code, stderr],
    [2, `--reset deletes everything; say --yes if you mean it. See 'semana demo --help'.\n`],
  );
  assert.equal(await merchantName('loja-nova'), 'Loja Velha');
  const mine = await output('key', 'create', '--partner', 'Demo partner');
  await eventually('the key works', async () => (await status(mine)) === 200);
  assert.equal(await output('demo', '--reset', '--yes'), 'Everything is as on the first start.');
  await eventually('the key is gone', async () => (await status(mine)) === 401);
  assert.equal(await merchantName('loja-nova'), undefined);
  assert.equal(await merchantName('farmacia-sao-joao'), 'Farmácia São João');
});

test('migrate prepares an empty database; the first start then still finds it new and writes the demo', async () => {
  const empty = await newDatabase();
  const { code, stdout } = await semana(['migrate'], { DATABASE_URL: empty });
  assert.equal(code, 0);
  assert.match(stdout, /^Applied:\n {2}0001_platform\.sql\n/);
  await semana(['partner', 'create', 'Antes'], { DATABASE_URL: empty });
  const first = await startService({ DATABASE_URL: empty });
  const answer = await fetch(`${first.frontUrl}/public/faq`, {
    headers: { 'x-api-key': 'sandbox-demo-key' },
  });
  assert.equal(answer.status, 200);
  first.child.kill('SIGTERM');
  await first.ended;
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { commandHelp } from '#platform/command-line/help.ts';
import { listSettings } from '#platform/config.ts';
import { commandsOf, modules, readConfiguration } from '../src/modules.ts';
import { commandLine } from './commands.ts';
import { eventually } from './harness.ts';
import {
  newDatabase,
  newDemoDatabase,
  PROJECT,
  query,
  run,
  SEMANA,
  semana,
  startService,
} from './processes.ts';

// The command line, beside a running service. What only a process shows (streams, terminals, exit codes) is shown by
// processes; the rest runs in this one.

const DATABASE_URL = await newDemoDatabase();
const service = await startService({ DATABASE_URL });
const directory = await mkdtemp(join(tmpdir(), 'semana-command-line-'));
after(() => rm(directory, { recursive: true, force: true }));

const here = (...words: string[]) => commandLine(words, { DATABASE_URL });

/** The standard output of a command that must succeed. */
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

test('the help of a command names every argument and option, and every command is listed', async () => {
  const { code, stdout: overview, stderr } = await semana(['--help']);
  assert.deepEqual([code, stderr], [0, '']);
  const commands = commandsOf(readConfiguration({}));
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
  for (const name of ['import merchants', 'migrate', 'demo']) {
    const help = await commandLine([...name.split(' '), '--help']);
    assert.deepEqual([help.code, help.stderr], [0, '']);
    assert.match(help.stdout, new RegExp(`^semana ${name}: `));
  }
});

test('semana start --help tells of every setting, and starts nothing', async () => {
  const { code, stdout } = await commandLine(['start', '--help']);
  assert.equal(code, 0);
  assert.match(stdout, /^semana start: run the service/);
  for (const { name } of listSettings(modules)) assert.ok(stdout.includes(`\n  ${name} `), name);
});

test('help is found in every way people look for it', async () => {
  const { stdout: overview } = await commandLine(['--help']);
  for (const words of [[], ['help']]) {
    const { code, stdout } = await commandLine(words);
    assert.deepEqual({ code, stdout }, { code: 0, stdout: overview }, words.join());
  }
  const { stdout: keyCreate } = await commandLine(['key', 'create', '--help']);
  assert.equal((await commandLine(['help', 'key', 'create'])).stdout, keyCreate);
  const group = await commandLine(['key', '--help']);
  assert.equal(group.code, 0);
  assert.match(group.stdout, /key create[\s\S]*key list[\s\S]*key rotate[\s\S]*key revoke/);
  assert.doesNotMatch(group.stdout, /partner create/);
});

test('the overview has a chapter for each module, and semana --version names the release', async () => {
  const { stdout } = await commandLine(['--help']);
  assert.match(
    stdout,
    /^Service\n {2}start .*\n {2}migrate .*\n {2}distribute .*\n {2}backup .*\n {2}restore .*\n {2}completion .*\n {2}web .*\n {2}office .*\n\nPartners\n {2}partner create/m,
  );
  assert.match(stdout, /^Pix\n {2}psp register/m);
  assert.match(stdout, /Exit code: 0 done, 1 refused or failed, 2 wrong usage\.$/m);
  const { version } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'));
  const { code, stdout: told } = await semana(['--version']);
  assert.match(`${code} ${told}`, new RegExp(`^0 semana ${version}(?: \\([0-9a-f]{7,40}\\))?\n$`));
});

test('completion: bash completes commands, options and what help is asked for; values and files are left to it', async () => {
  const { stdout: script } = await commandLine(['completion', 'bash']);
  const complete = (...words: string[]) => {
    const ask = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _semana; echo "\${COMPREPLY[*]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', ask, 'bash', 'semana', ...words], {
      encoding: 'utf8',
    });
    assert.equal(stderr, '');
    return stdout.trim();
  };
  assert.equal(complete('k'), 'key');
  assert.equal(complete('key', ''), 'create list change rotate revoke');
  assert.equal(complete('key', 'create', '--la'), '--label');
  assert.equal(complete('key', 'create', '--label', ''), '');
  assert.equal(complete('import', 'merchants', ''), '');
  assert.equal(complete('import', 'merchants', '--d'), '--dry-run');
  assert.equal(complete('help', 'key', 'ro'), 'rotate');
  assert.equal(complete('pix', 'orphan', ''), 'assign refund');
});

test('completion: zsh and fish know every command and option', async () => {
  const commands = commandsOf(readConfiguration({}));
  for (const shell of ['zsh', 'fish']) {
    const { code, stdout: script } = await commandLine(['completion', shell]);
    assert.equal(code, 0);
    for (const { name, options = {} } of commands) {
      assert.ok(script.includes(`'${name} `), `${shell}: ${name}`);
      for (const option of Object.keys(options))
        assert.ok(
          script.includes(shell === 'zsh' ? `'--${option}:` : `-l ${option} `),
          `${shell}: --${option}`,
        );
    }
    if (spawnSync(shell, ['--version']).error) continue; // not on this machine
    const file = join(directory, `completion.${shell}`);
    await writeFile(file, script);
    assert.equal(spawnSync(shell, ['-n', file], { encoding: 'utf8' }).stderr, '');
    if (shell === 'zsh') continue; // completes at a terminal only
    const ask = `source ${file}; complete -C 'semana pix orphan '`;
    assert.match(spawnSync(shell, ['-c', ask], { encoding: 'utf8' }).stdout, /^assign\t.*\nrefund\t/);
  }
});

/** On a terminal of its own; undefined on machines that have no script(1) of util-linux. */
function onTerminal(words: string[], env: Record<string, string>, typed = '') {
  if (!spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux'))
    return undefined;
  const line = [...SEMANA, ...words].map((word) => `'${word}'`).join(' ');
  const { stdout, status } = spawnSync('script', ['-qec', line, '/dev/null'], {
    cwd: PROJECT,
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', ...env },
    input: typed,
    encoding: 'utf8',
  });
  return { code: status, shown: stdout };
}

test('colour on a terminal, unless NO_COLOR says otherwise; never in a pipe', async (t) => {
  const shown = onTerminal(['--help'], {})?.shown;
  if (shown === undefined) return t.skip('no script(1) here');
  assert.ok(shown.includes('\x1b[1mUsage:\x1b[22m'));
  assert.match((await commandLine(['key', 'lits', '--help'])).stderr, /no command 'key lits'/);
  assert.ok(onTerminal(['partner', 'create'], {})!.shown.includes('\x1b[31mNAME is missing'));
  for (const words of [['--help'], ['partner', 'create']]) {
    assert.ok(!onTerminal(words, { NO_COLOR: '1' })!.shown.includes('\x1b['));
    const { stdout, stderr } = await semana(words);
    assert.ok(!(stdout + stderr).includes('\x1b['));
  }
});

test('a destructive command asks on a terminal: only yes goes on', async (t) => {
  const id = async () => JSON.parse((await output('key', 'list', '--json')).split('\n')[0]!).id as string;
  const key = await id();
  const refused = onTerminal(['key', 'revoke', key], { DATABASE_URL }, 'no\n');
  if (refused === undefined) return t.skip('no script(1) here');
  assert.match(refused.shown, new RegExp(`Key ${key} ends for good, now\\. Type yes to go on: `));
  assert.match(refused.shown, /Nothing was changed\./);
  assert.equal(refused.code, 1);
  const done = onTerminal(['key', 'revoke', key], { DATABASE_URL }, 'yes\n');
  assert.match(done!.shown, new RegExp(`Key ${key} is revoked`));
  assert.equal(done!.code, 0);
  await output('demo');
});

test('an old Node without the one we bring along is told what helps on its machine', () => {
  const started = (platform: string, arch: string) => {
    const machine = `Object.defineProperties(process, {
      platform: { value: '${platform}' }, arch: { value: '${arch}' },
      versions: { value: { ...process.versions, node: '20.20.2' } } })`;
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(machine)}`, 'bin/semana.js', 'start'],
      { cwd: PROJECT, encoding: 'utf8' },
    );
    assert.equal(status, 1);
    assert.match(stderr, /^Semana needs Node 24 or later; this is Node 20\.20\.2\. /);
    return stderr;
  };
  const mac = started('darwin', 'arm64');
  for (const way of [
    'https://nodejs.org/en/download',
    'brew install node@24',
    'nvm install 24',
    'fnm install 24',
  ])
    assert.ok(mac.includes(way), way);
  const windows = started('win32', 'x64');
  assert.ok(windows.includes('nodejs.org') && !windows.includes('brew'));
  const [other] = ['x64', 'arm64'].filter((arch) => arch !== process.arch);
  if (process.platform === 'linux')
    assert.match(started('linux', other!), /node-linux-.* is not installed: run 'npm ci'/);
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
    [['--bogus'], /^Unknown option '--bogus'\. 'semana --help' lists all commands\.\n$/],
    [['--versoin'], /^Unknown option '--versoin'\. Did you mean '--version'\?/],
    [['key', 'lits'], /^There is no command 'key lits'\. Did you mean 'semana key list'\?/],
    [['prtner', 'create', 'X'], /^There is no command 'prtner'\. Did you mean 'semana partner create'\?/],
    [
      ['key', 'list', '--jsn'],
      /^Unknown option '--jsn'\. Did you mean '--json'\? See 'semana key list --help'\.\n$/,
    ],
    [['completion', 'tcsh'], /^There is no completion for 'tcsh'; there is for bash, zsh, fish\./],
    [['partner', 'list', '--bogus'], /^Unknown option '--bogus'\. See 'semana partner list --help'\.\n$/],
    [['partner', 'create'], /^NAME is missing\. See 'semana partner create --help'\.\n$/],
    [['key', 'create', '--partner'], /^Option '--partner <value>' argument missing\. See/],
    [
      ['import', 'merchants', 'x.csv', '--dry-run=yes'],
      /^Option '--dry-run' does not take an argument\. See/,
    ],
    [['start', '--port', '3'], /^Unknown option '--port'\. See 'semana start --help'\.\n$/],
  ];
  for (const [words, told] of cases) {
    const { code, stdout, stderr } = await commandLine(words);
    assert.deepEqual([code, stdout], [2, ''], words.join(' '));
    assert.match(stderr, told);
  }
  const { code, stdout } = await semana(['bogus']);
  assert.deepEqual([code, stdout], [2, ''], 'and so does the process');
});

test('a partner is created once and listed, for people and for scripts', async () => {
  const told = await output('partner', 'create', 'Site institucional');
  const [, id] = /^Partner (ptn_\w+) created\./.exec(told)!;
  assert.match(told, new RegExp(`semana key create --partner ${id} --scopes public$`));
  const named = ['partner', 'create', 'Loja própria', '--reference', 'CONTRATO-3'];
  assert.equal(
    await output(...named),
    await output(...named),
    'with a reference the same again prints the same',
  );
  const again = await here('partner', 'create', 'Site institucional');
  assert.equal(again.code, 1);
  assert.equal(again.stderr, `There is a partner named 'Site institucional' already.\n`);
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
      `^${id} +Site institucional +semana_sandbox_\\w{4}… +site +- +public +600 +none: servers only +- +- +active`,
      'm',
    ),
  );
  const json = await output('key', 'list', '--json');
  assert.ok(!listed.includes(key) && !json.includes(key), 'it is shown once');
  assert.ok(!/hash/.test(json));

  await output('key', 'create', '--partner', 'Site institucional', '--backend', '--origins', '*');
  assert.match(await output('key', 'list'), / {2}\* +- +yes +active/m);

  const rotated = await here('key', 'rotate', id!, '--overlap', '1h');
  const second = rotated.stdout.trim();
  const [, secondId] = /^Key (key_\w+) issued/.exec(rotated.stderr)!;
  assert.match(rotated.stderr, /The old key works until \d{4}-\d\d-\d\d \d\d:\d\d\.\n$/);
  await eventually('the successor works', async () => (await status(second)) === 200);
  assert.equal(await status(key), 200, 'and the old one, for an hour');
  assert.match(await output('key', 'list'), new RegExp(`^${id} .* until `, 'm'));

  const third = await output('key', 'rotate', secondId!, '--overlap', '0m', '--yes');
  await eventually('the next successor works', async () => (await status(third)) === 200);
  await eventually('the one before it has ended', async () => (await status(second)) === 401);

  const unasked = await here('key', 'revoke', id!);
  assert.deepEqual(
    [unasked.code, unasked.stderr],
    [2, `Key ${id} ends for good, now. Say --yes if you mean it. See 'semana key revoke --help'.\n`],
  );
  assert.equal(await status(key), 200, 'and nothing happened');
  assert.equal(await output('key', 'revoke', id!, '--yes'), `Key ${id} is revoked.`);
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
    [['key', 'revoke', 'key_x', '--yes'], 1, /^There is no key key_x\. See 'semana key list'\.\n$/],
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
  for (const [words, expected, told] of cases) {
    const { code, stderr } = await here(...words);
    assert.equal(code, expected, stderr);
    assert.match(stderr, told);
  }
});

test('what is imported from a file or standard input is seen at once by the running service', async () => {
  const file = join(directory, 'merchants.csv');
  await writeFile(file, 'slug;name;category\nloja-nova;Loja Nova;moda\nruim;;moda\n');
  const imported = await here('import', 'merchants', file);
  assert.deepEqual(imported, {
    code: 1,
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

  // Without a service: its cache of merchants would need memory of its own.
  const env = { DATABASE_URL: await newDatabase(), NODE_OPTIONS: '--max-old-space-size=48' };
  await commandLine(['migrate'], env);
  await commandLine(['import', 'categories', '-', '--format', 'csv'], env, 'slug,name\nmoda,Moda\n');
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
  await query(DATABASE_URL, `update merchants set name = 'Outra' where slug = 'farmacia-sao-jocundo'`);
  await query(DATABASE_URL, `delete from faq_entries`);
  await eventually('it is changed', async () => (await merchantName('farmacia-sao-jocundo')) === 'Outra');
  assert.equal(await output('demo'), 'The demo data is in place.');
  await eventually(
    'it is back',
    async () => (await merchantName('farmacia-sao-jocundo')) === 'Farmácia São Jocundo',
  );
  assert.equal(await merchantName('loja-nova'), 'Loja Velha');
  assert.equal(await status('sandbox-demo-key'), 200);
});

test('demo --reset asks for --yes; then only the demo is left, also for the service that runs', async () => {
  const { code, stderr } = await here('demo', '--reset');
  assert.deepEqual(
    [code, stderr],
    [2, `--reset deletes everything in the database. Say --yes if you mean it. See 'semana demo --help'.\n`],
  );
  assert.equal(await merchantName('loja-nova'), 'Loja Velha');
  const mine = await output('key', 'create', '--partner', 'Demo partner');
  await eventually('the key works', async () => (await status(mine)) === 200);
  assert.equal(await output('demo', '--reset', '--yes'), 'Everything is as on the first start.');
  await eventually('the key is gone', async () => (await status(mine)) === 401);
  assert.equal(await merchantName('loja-nova'), undefined);
  assert.equal(await merchantName('farmacia-sao-jocundo'), 'Farmácia São Jocundo');
});

test('migrate prepares an empty database; the first start then still finds it new and writes the demo', async () => {
  const empty = await newDatabase();
  const { code, stdout } = await semana(['migrate'], { DATABASE_URL: empty });
  assert.equal(code, 0);
  assert.match(stdout, /^Applied:\n {2}0001_platform\.sql\n/);
  await commandLine(['partner', 'create', 'Antes'], { DATABASE_URL: empty });
  const first = await startService({ DATABASE_URL: empty });
  const answer = await fetch(`${first.frontUrl}/public/faq`, {
    headers: { 'x-api-key': 'sandbox-demo-key' },
  });
  assert.equal(answer.status, 200);
  first.child.kill('SIGTERM');
  await first.ended;
});

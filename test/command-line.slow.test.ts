import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { listSettings } from '#platform/config.ts';
import { listCommands } from '../src/cli/semana.ts';
import { modules } from '../src/modules.ts';
import { runCli } from './commands.ts';
import { eventually } from './harness.ts';
import {
  createDemoDatabase,
  createUnmigratedDatabase,
  runSemana,
  SEMANA_COMMAND,
  startProgram,
  startService,
} from './processes.ts';
import { PROJECT } from './project.ts';
import { query } from './query.ts';

// The command line, with a running service. Tests of streams, terminals and exit codes start processes; the other tests run the
// commands in this process.

const DATABASE_URL = await createDemoDatabase();
const service = await startService({ DATABASE_URL });
const directory = await mkdtemp(join(tmpdir(), 'semana-command-line-'));
after(() => rm(directory, { recursive: true, force: true }));

const env = { DATABASE_URL, SEMANA_URL: service.staffUrl };
const runCommand = (...args: string[]) => runCli(args, env);

/** Runs a command that must succeed, and returns its standard output. */
async function readOutput(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(...args);
  assert.equal(code, 0, stderr);
  return stdout.trim();
}

/** Returns the status of the response to a request with this key. */
async function requestStatus(key: string): Promise<number> {
  return (await fetch(`${service.partnerUrl}/public/categories`, { headers: { 'x-api-key': key } })).status;
}

async function readMerchantName(slug: string): Promise<string | undefined> {
  const url = `${service.partnerUrl}/public/merchants/${slug}`;
  const response = await fetch(url, { headers: { 'x-api-key': 'sandbox-demo-key' } });
  return ((await response.json()) as { name?: string }).name;
}

test('semana start --help lists every setting, and starts nothing', async () => {
  const { code, stdout } = await runCli(['start', '--help']);
  assert.equal(code, 0);
  assert.match(stdout, /^semana start: run the service/);
  for (const { name } of listSettings(modules)) assert.ok(stdout.includes(`\n  ${name} `), name);
});

test('help is printed for every common way to request it', async () => {
  const { code, stdout: overview, stderr } = await runSemana(['--help']);
  assert.deepEqual([code, stderr], [0, '']);
  for (const args of [[], ['help']]) {
    const { code, stdout } = await runCli(args);
    assert.deepEqual({ code, stdout }, { code: 0, stdout: overview }, args.join());
  }
  for (const { name, summary } of listCommands())
    assert.match(overview, new RegExp(`^  ${name} +${summary[0]}`, 'm'));
  const { stdout: commandHelp } = await runCli(['keys', 'create', '--help']);
  assert.equal((await runCli(['help', 'keys', 'create'])).stdout, commandHelp);
  const groupHelp = await runCli(['keys', '--help']);
  assert.equal(groupHelp.code, 0);
  assert.match(groupHelp.stdout, /keys list[\s\S]*keys create[\s\S]*keys revoke[\s\S]*keys rotate/);
  assert.doesNotMatch(groupHelp.stdout, /partners create/);
});

test('the overview has a chapter for each topic, and semana --version names the release', async () => {
  const { stdout } = await runCli(['--help']);
  assert.match(stdout, /^Service\n {2}api .*\n {2}login /m);
  assert.match(stdout, /^Pix\n {2}psp register/m);
  assert.match(stdout, /Exit codes: 0 success, 1 failure, 2 usage error\.$/m);
  const { version } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'));
  const { code, stdout: versionOutput } = await runSemana(['--version']);
  assert.match(
    `${code} ${versionOutput}`,
    new RegExp(`^0 semana ${version}(?:\\+unreleased)?(?: \\([0-9a-f]{7,40}\\))?\n$`),
  );
});

/** Creates a directory with a program named semana, which the completion scripts call. */
async function createSemanaProgram(): Promise<string> {
  const bin = join(directory, 'bin');
  await mkdir(bin, { recursive: true });
  const program = SEMANA_COMMAND.map((word) => `'${word}'`).join(' ');
  await writeFile(join(bin, 'semana'), `#!/bin/sh\ncd '${PROJECT}' && exec ${program} "$@"\n`, {
    mode: 0o755,
  });
  return bin;
}

test('bash completes commands, options, values and topics of help, and leaves file names to the shell', async () => {
  const { stdout: script } = await runCli(['completion', 'bash']);
  const shellEnv = { ...process.env, PATH: `${await createSemanaProgram()}:${process.env.PATH}` };
  const complete = (...words: string[]) => {
    const completionScript = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _semana; echo "\${COMPREPLY[*]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', completionScript, 'bash', 'semana', ...words], {
      encoding: 'utf8',
      env: shellEnv,
    });
    assert.equal(stderr, '');
    return stdout.trim().split('\n').join(' ');
  };
  assert.equal(complete('payo'), 'payouts');
  assert.equal(complete('keys', 'create', '--la'), '--label');
  assert.equal(complete('payouts', 'list', '--status', 'pa'), 'paid');
  assert.equal(complete('import', 'merchants', ''), '');
  assert.equal(complete('import', 'merchants', '--d'), '--dry-run');
  assert.equal(complete('help', 'keys', 'ro'), 'rotate');
});

test('zsh and fish accept their completion scripts', async () => {
  const shellEnv = { ...process.env, PATH: `${await createSemanaProgram()}:${process.env.PATH}` };
  for (const shell of ['zsh', 'fish']) {
    const { code, stdout: script } = await runCli(['completion', shell]);
    assert.equal(code, 0);
    if (spawnSync(shell, ['--version']).error) continue; // the shell is not installed
    const file = join(directory, `completion.${shell}`);
    await writeFile(file, script);
    assert.equal(spawnSync(shell, ['-n', file], { encoding: 'utf8' }).stderr, '');
    if (shell === 'zsh') continue; // zsh completes on a terminal only
    const completionScript = `source ${file}; complete -C 'semana pix orphans a'`;
    const { stdout } = spawnSync(shell, ['-c', completionScript], {
      encoding: 'utf8',
      env: shellEnv,
    });
    assert.match(stdout, /^assign\t/);
  }
});

/** Runs a command on a new terminal, with text typed into it. Returns undefined on machines without script(1) of util-linux. */
function runOnTerminal(args: string[], env: Record<string, string>, typedText = '') {
  if (!spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux'))
    return undefined;
  const line = [...SEMANA_COMMAND, ...args].map((word) => `'${word}'`).join(' ');
  const { stdout, status } = spawnSync('script', ['-qec', line, '/dev/null'], {
    cwd: PROJECT,
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', ...env },
    input: typedText,
    encoding: 'utf8',
  });
  return { code: status, screen: stdout };
}

test('output is coloured on a terminal, unless NO_COLOR is set, and never in a pipe', async (t) => {
  const screen = runOnTerminal(['--help'], {})?.screen;
  if (screen === undefined) return t.skip('script(1) is not installed');
  assert.ok(screen.includes('\x1b[1mUsage:\x1b[22m'));
  assert.match((await runCli(['keys', 'lits', '--help'])).stderr, /no command 'keys lits'/);
  assert.ok(runOnTerminal(['partners', 'create'], {})!.screen.includes('\x1b[31m--name is missing'));
  for (const args of [['--help'], ['partners', 'create']]) {
    assert.ok(!runOnTerminal(args, { NO_COLOR: '1' })!.screen.includes('\x1b['));
    const { stdout, stderr } = await runSemana(args);
    assert.ok(!(stdout + stderr).includes('\x1b['));
  }
});

test('an action that cannot be undone asks for confirmation on a terminal, and only yes continues', async (t) => {
  const keyId = JSON.parse((await readOutput('keys', 'list', '--json')).split('\n')[0]!).id as string;
  const declinedRun = runOnTerminal(['keys', 'revoke', keyId], env, 'no\n');
  if (declinedRun === undefined) return t.skip('script(1) is not installed');
  assert.match(declinedRun.screen, new RegExp(`Key ${keyId} stops working .*\\. Type yes to go on: `));
  assert.match(declinedRun.screen, /Nothing was changed\./);
  assert.equal(declinedRun.code, 1);
  const confirmedRun = runOnTerminal(['keys', 'revoke', keyId], env, 'yes\n');
  assert.equal(confirmedRun!.code, 0, confirmedRun!.screen);
  assert.match(confirmedRun!.screen, /revoked/);
  await readOutput('demo'); // restores the revoked key
});

test('an old Node without the bundled one prints what to install on its machine', () => {
  const startOnOldNode = (platform: string, arch: string) => {
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
  const macInstructions = startOnOldNode('darwin', 'arm64');
  for (const instruction of [
    'https://nodejs.org/en/download',
    'brew install node@24',
    'nvm install 24',
    'fnm install 24',
  ])
    assert.ok(macInstructions.includes(instruction), instruction);
  const windowsInstructions = startOnOldNode('win32', 'x64');
  assert.ok(windowsInstructions.includes('nodejs.org') && !windowsInstructions.includes('brew'));
  const [otherArch] = ['x64', 'arm64'].filter((arch) => arch !== process.arch);
  if (process.platform === 'linux')
    assert.match(startOnOldNode('linux', otherArch!), /node-linux-.* is not installed: run 'npm ci'/);
});

test('a reader that closes a pipe early causes no error', async () => {
  const line = `"${process.execPath}" bin/semana.js --help | true`;
  const { code, stderr } = await startProgram(['/bin/sh', '-c', line]).outcome;
  assert.deepEqual([code, stderr], [0, '']);
});

test('invalid usage exits with code 2, with one line that explains it, and prints nothing to standard output', async () => {
  const cases: Array<[string[], RegExp]> = [
    [['bogus'], /^There is no command 'bogus'\. 'semana --help' lists them\.\n$/],
    [['help', 'bogus'], /^There is no command 'bogus'/],
    [['keys'], /keys create/],
    [['--bogus'], /^Unknown option '--bogus'\. 'semana --help' lists all commands\.\n$/],
    [['--versoin'], /^Unknown option '--versoin'\. Did you mean '--version'\?/],
    [['keys', 'create', '--partner'], /^Option '--partner <value>' argument missing\. See/],
    [
      ['import', 'merchants', 'x.csv', '--dry-run=yes'],
      /^Option '--dry-run' does not take an argument\. See/,
    ],
    [['start', '--port', '3'], /^Unknown option '--port'\. See 'semana start --help'\.\n$/],
  ];
  for (const [args, expectedError] of cases) {
    const { code, stdout, stderr } = await runCli(args);
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.match(stderr, expectedError);
  }
  const { code, stdout } = await runSemana(['bogus']);
  assert.deepEqual([code, stdout], [2, ''], 'a process exits with code 2, too');
});

test('a key that is created, rotated and revoked works and stops working immediately on the running service', async () => {
  await readOutput('partners', 'create', '--name', 'Site institucional');
  const keyOptions = ['--partner', 'Site institucional', '--scopes', 'public', '--label', 'site'];
  const createOutcome = await runCommand('keys', 'create', ...keyOptions);
  assert.equal(createOutcome.code, 0, createOutcome.stderr);
  const key = createOutcome.stdout.trim();
  assert.match(key, /^semana_sandbox_\w{43}$/, 'standard output is the key and nothing else');
  const [, id] = /^Key (key_\w+) issued\. Store it now: it is not returned again\.\n/.exec(
    createOutcome.stderr,
  )!;
  await eventually('the new key works', async () => (await requestStatus(key)) === 200);
  const keyList = await readOutput('keys', 'list', '--partner', 'Site institucional');
  assert.match(keyList, new RegExp(`^${id} .* site `, 'm'));
  assert.ok(
    !keyList.includes(key) && !(await readOutput('keys', 'list', '--json')).includes(key),
    'the key is printed only once',
  );

  const newKey = await readOutput('keys', 'rotate', id!, '--overlap-hours', '1', '--yes');
  await eventually('the successor works', async () => (await requestStatus(newKey)) === 200);
  assert.equal(await requestStatus(key), 200, 'the old key works for another hour');
  const unconfirmedOutcome = await runCommand('keys', 'revoke', id!);
  assert.deepEqual(
    [unconfirmedOutcome.code, /Use --yes to confirm/.test(unconfirmedOutcome.stderr)],
    [2, true],
  );
  assert.equal(await requestStatus(key), 200, 'nothing was changed');
  await readOutput('keys', 'revoke', id!, '--yes');
  await eventually('the revoked key is refused', async () => (await requestStatus(key)) === 401);
});

test('the running service sees records imported from a file or standard input immediately', async () => {
  const file = join(directory, 'merchants.csv');
  await writeFile(file, 'slug;name;category\nloja-nova;Loja Nova;moda\nruim;;moda\n');
  const importOutcome = await runCommand('import', 'merchants', file);
  assert.deepEqual(importOutcome, {
    code: 1,
    stdout: 'Imported 1 merchants; 1 bad lines were left out.\n',
    stderr: 'line 3: name: is missing\n',
  });
  await eventually(
    'the merchant is imported',
    async () => (await readMerchantName('loja-nova')) === 'Loja Nova',
  );

  const line = '{"slug":"loja-nova","name":"Loja Velha","category":"moda"}';
  const pipeOutcome = await runSemana(
    ['import', 'merchants', '-', '--format', 'jsonl'],
    { DATABASE_URL },
    line,
  );
  assert.equal(pipeOutcome.code, 0, pipeOutcome.stderr);
  await eventually(
    'the merchant is changed',
    async () => (await readMerchantName('loja-nova')) === 'Loja Velha',
  );

  const missingFileOutcome = await runCommand('import', 'merchants', join(directory, 'nowhere.csv'));
  assert.equal(missingFileOutcome.code, 2);
  assert.match(missingFileOutcome.stderr, /^'.*nowhere.csv' cannot be read: ENOENT.*\n$/);
});

test('20,000 lines are imported in bounded memory, and invalid ones are reported', async () => {
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

  // No service uses this database: its cache of merchants would need memory, too.
  const importEnv = {
    DATABASE_URL: await createUnmigratedDatabase(),
    NODE_OPTIONS: '--max-old-space-size=48',
  };
  await runCli(['migrate'], importEnv);
  await runCli(['import', 'categories', '-', '--format', 'csv'], importEnv, {
    input: 'slug,name\nmoda,Moda\n',
  });
  const { code, stdout, stderr } = await runSemana(['import', 'merchants', file], importEnv);
  assert.equal(stdout, 'Imported 19996 merchants; 4 bad lines were left out.\n', stderr);
  assert.equal(code, 1);
  assert.deepEqual(
    stderr.trim().split('\n'),
    [5_001, 10_001, 15_001, 20_001].map((line) => `line ${line}: the heading has 4 columns, this row has 3`),
  );
  const counts = await query<{ count: number }>(
    importEnv.DATABASE_URL,
    'select count(*)::int from merchants',
  );
  assert.deepEqual(counts, [{ count: 19_996 }]);
});

test('migrate says that there is nothing to do; demo restores the demo data and leaves other data unchanged', async () => {
  assert.equal(await readOutput('migrate'), 'The database is up to date.');
  await query(DATABASE_URL, `update merchants set name = 'Outra' where slug = 'farmacia-sao-jocundo'`);
  await query(DATABASE_URL, `delete from faq_entries`);
  await eventually(
    'the merchant is changed',
    async () => (await readMerchantName('farmacia-sao-jocundo')) === 'Outra',
  );
  assert.equal(await readOutput('demo'), 'The demo data is written.');
  await eventually(
    'the demo data is restored',
    async () => (await readMerchantName('farmacia-sao-jocundo')) === 'Farmácia São Jocundo',
  );
  assert.equal(await readMerchantName('loja-nova'), 'Loja Velha');
  assert.equal(await requestStatus('sandbox-demo-key'), 200);
});

test('demo --reset requires --yes and leaves only the demo data, also for a running service', async () => {
  const { code, stderr } = await runCommand('demo', '--reset');
  assert.deepEqual(
    [code, stderr],
    [2, `--reset deletes everything in the database. Use --yes to confirm. See 'semana demo --help'.\n`],
  );
  assert.equal(await readMerchantName('loja-nova'), 'Loja Velha');
  const ownKey = await readOutput('keys', 'create', '--partner', 'Demo partner', '--scopes', 'public');
  await eventually('the key works', async () => (await requestStatus(ownKey)) === 200);
  assert.equal(
    await readOutput('demo', '--reset', '--yes'),
    'The sandbox is reset to the demo data of the first start.',
  );
  await eventually('the key is deleted', async () => (await requestStatus(ownKey)) === 401);
  assert.equal(await readMerchantName('loja-nova'), undefined);
  assert.equal(await readMerchantName('farmacia-sao-jocundo'), 'Farmácia São Jocundo');
});

test('migrate prepares an empty database; the first start still treats it as new and writes the demo data', async () => {
  const emptyDatabaseUrl = await createUnmigratedDatabase();
  const { code, stdout } = await runSemana(['migrate'], { DATABASE_URL: emptyDatabaseUrl });
  assert.equal(code, 0);
  assert.match(stdout, /^Applied:\n {2}0001_platform\.sql\n/);
  await runCli(['staff', 'add', '--name', 'Antes', '--role', 'admin'], {
    DATABASE_URL: emptyDatabaseUrl,
  });
  const firstService = await startService({ DATABASE_URL: emptyDatabaseUrl });
  const response = await fetch(`${firstService.partnerUrl}/public/faq`, {
    headers: { 'x-api-key': 'sandbox-demo-key' },
  });
  assert.equal(response.status, 200);
  firstService.child.kill('SIGTERM');
  await firstService.outcome;
});

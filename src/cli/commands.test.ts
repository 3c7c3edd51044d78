import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { runCli } from '../../test/commands.ts';
import { openService } from '../../test/harness.ts';
import { createPurchaseDriver, OPERATOR_KEY } from '../../test/purchase-driver.ts';
import { newStaffUser } from '../../test/support/staff.ts';
import { listCommands } from './semana.ts';

// The commands of the staff API, in this process, against the service of this test. Each test file of a resource runs its own commands;
// this file tests what all of them have in common.

const service = await openService();
const driver = createPurchaseDriver(service);
const homeDirectory = await mkdtemp(join(tmpdir(), 'semana-cli-'));
after(() => rm(homeDirectory, { recursive: true, force: true }));

const run = (args: string[], env: Record<string, string> = {}, io: Parameters<typeof runCli>[2] = {}) =>
  runCli(args, { SEMANA_URL: service.staffUrl, HOME: homeDirectory, ...env }, io);

async function runSuccessfully(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args);
  assert.equal(code, 0, stderr);
  return stdout.trimEnd();
}

test('every list prints a table, with --json one object per line, and with --csv the CSV of the API', async () => {
  const listingCommands = listCommands().filter(
    ({ operation, positionals = [] }) =>
      operation?.responseKind === 'list' &&
      operation.method === 'GET' &&
      positionals.length === 0 &&
      operation.path !== '/auth/sessions', // requires a session, not a key
  );
  assert.ok(listingCommands.length > 25, 'the lists are found');
  const rowCounts: Record<string, number> = {};
  for (const { name, options = {} } of listingCommands) {
    const requiredOptions = name === 'search' ? ['--q', 'ana'] : [];
    const listOptions = name === 'me views list' ? ['--list', 'customers'] : requiredOptions;
    const args = [...name.split(' '), ...listOptions];
    const records = (await runSuccessfully(...args, '--json')).split('\n').filter(Boolean);
    for (const line of records) assert.equal(typeof JSON.parse(line), 'object', `${name}: ${line}`);
    const table = (await runSuccessfully(...args)).split('\n');
    if (records.length === 0) assert.equal(table.length, 1, `${name}: ${table.join('\n')}`);
    // The rows follow a heading and a rule.
    else assert.equal(table.length, records.length + 2, name);
    if (options.csv) assert.match(await runSuccessfully(...args, '--csv'), /^\w+(,\w+)*/, name);
    rowCounts[name] = records.length;
  }
  for (const name of ['partners list', 'keys list', 'customers list', 'payouts list', 'audit-trail list'])
    assert.ok(rowCounts[name]! > 0, name);
});

test('a list returns up to --limit rows, over several pages, and prints the total', async () => {
  const ROW_COUNT = 250;
  const LIMIT = 130;
  await service.db.run(sql`
    insert into faq_entries (id, topic, question, answer, position)
    select 'pergunta-' || n, 'muitas', 'Pergunta ' || n, '-', n from generate_series(1, ${ROW_COUNT}::int) as n`);
  const listFaq = async (...args: string[]) => {
    const { stdout, stderr } = await run(['faq', 'list', '--topic', 'muitas', '--json', ...args]);
    return { ids: stdout.trim().split('\n'), stderr };
  };
  const fullList = await listFaq('--limit', '1000');
  assert.deepEqual([new Set(fullList.ids).size, fullList.stderr], [ROW_COUNT, '']);
  const limitedList = await listFaq('--limit', String(LIMIT));
  assert.equal(new Set(limitedList.ids).size, LIMIT);
  assert.match(limitedList.stderr, /^The first 130 of 250\. --limit sets how many\.\n$/);
  assert.equal((await listFaq()).ids.length, 100, 'the default limit');
  for (const limit of ['0', '10001', 'x']) {
    const { code, stderr } = await run(['faq', 'list', '--limit', limit]);
    assert.deepEqual([code, /^--limit is .*; write a number from 1 to 10000\./.test(stderr)], [2, true]);
  }
});

test('an action on money prints the figures and asks; a reply other than yes, or no terminal without --yes, changes nothing', async () => {
  const customer = await driver.createCustomer();
  const { hash } = (await driver.requestCheckout(customer, { amount: 100, installments: 2 })).body;
  const args = ['checkouts', 'return', hash, '--amount', '40', '--reason', 'Devolvido'];
  const readReturnedAmount = async () => (await driver.getCheckout(hash)).amounts.returned;
  const questions: string[] = [];
  const answerWith = (reply: string) => ({
    ask: async (question: string) => {
      questions.push(question);
      return reply;
    },
  });

  const outcomeWithoutTerminal = await run(args);
  assert.deepEqual([outcomeWithoutTerminal.code, outcomeWithoutTerminal.stdout], [2, '']);
  assert.match(
    outcomeWithoutTerminal.stderr,
    /It cannot be undone\. Use --yes to confirm\. See 'semana checkouts return --help'/,
  );
  for (const reply of ['', 'y', 'no', 'yes please']) {
    const { code, stdout, stderr } = await run(args, {}, answerWith(reply));
    assert.deepEqual([code, stdout], [1, ''], reply);
    assert.match(stderr, /amount +40\.00\n[\s\S]*\nNothing was changed\.\n$/);
  }
  assert.equal(await readReturnedAmount(), 0);
  const [firstQuestion] = questions;
  assert.match(firstQuestion!, /^This returns the purchase \w+, .* Type yes to go on: $/);

  const dryRunOutcome = await run([...args, '--dry-run']);
  assert.equal(dryRunOutcome.code, 0, dryRunOutcome.stderr);
  assert.match(dryRunOutcome.stdout, /amount +40\.00\n[\s\S]*Nothing was changed \(--dry-run\)\.\n$/);
  assert.equal(await readReturnedAmount(), 0);

  const confirmedOutcome = await run(args, {}, answerWith(' YES\n'));
  assert.equal(confirmedOutcome.code, 0, confirmedOutcome.stderr);
  assert.match(confirmedOutcome.stdout, /^ret_\w+\n$/);
  assert.equal(await readReturnedAmount(), 40);
  const questionCount = questions.length;
  await runSuccessfully(...args, '--yes');
  assert.deepEqual([await readReturnedAmount(), questions.length], [80, questionCount]);
});

test('an action without a dry run prints the figures of the resource that it changes', async () => {
  const customer = await driver.createCustomer();
  const { hash } = (await driver.requestCheckout(customer, { amount: 70, installments: 1 })).body;
  const args = ['checkouts', 'write-off', hash, '--reason', 'Mudou-se'];
  const { code, stderr } = await run(args, {}, { ask: async () => 'no' });
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`^ +hash +${hash}\n[\\s\\S]*amounts\\.outstanding +70\\.00\n`));
  assert.equal((await driver.getCheckout(hash)).written_off_at, null);
});

test('an action that requires the approval of a second person changes nothing and prints the command that approves it', async () => {
  const strictNode = await service.startNode({ env: { FOUR_EYES_AMOUNT: '10' } });
  const customer = await driver.createCustomer();
  const args = ['cashback', 'adjust', customer.id, '--amount', '50', '--reason', 'Desculpe', '--yes'];
  const heldOutcome = await runCli(args, { SEMANA_URL: strictNode.staffUrl });
  assert.equal(heldOutcome.code, 0, heldOutcome.stderr);
  const [, approvalId] = /^This requires the approval of a second person, (apr_\w+)\./.exec(
    heldOutcome.stdout,
  )!;
  assert.match(heldOutcome.stdout, new RegExp(`'semana approvals approve ${approvalId}'`));
  assert.match(await runSuccessfully('approvals', 'list', '--status', 'waiting'), new RegExp(approvalId!));
  assert.match(await runSuccessfully('cashback', 'get', customer.id), /available +0\.00/);
});

test('mistyped commands, options and values get a suggestion and exit with 2, before anything is sent', async () => {
  const mistypedCommands: Array<[args: string[], expectedError: RegExp]> = [
    [['payots', 'list'], /^There is no command 'payots'\. Did you mean 'semana payouts list'\?/],
    [['payouts', 'lits'], /^There is no command 'payouts lits'\. Did you mean 'semana payouts list'\?/],
    [['payouts', 'list', '--statsu', 'paid'], /^Unknown option '--statsu'\. Did you mean '--status'\?/],
    [
      ['payouts', 'list', '--status', 'payd'],
      /^--status is 'payd'; it must be one of .*\. Did you mean 'paid'\?/,
    ],
    [['payouts', 'paid', 'pay_1'], /^--reference is missing\. See 'semana payouts paid --help'\.$/],
    [['payouts', 'get'], /^ID is missing\./],
    [['payouts', 'get', 'a', 'b'], /^'b' is one argument too many\./],
    [['api', 'FETCH', '/admin/me'], /^METHOD is 'FETCH'; it must be one of GET,/],
    [['api', 'POST', '/admin/partners', '--body', '{'], /^--body is not JSON\./],
    [['completion', 'tcsh'], /^There is no completion for 'tcsh'\. Supported shells: bash, zsh, fish\./],
  ];
  for (const [args, expectedError] of mistypedCommands) {
    const { code, stdout, stderr } = await run(args, { SEMANA_URL: 'http://127.0.0.1:9' });
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.match(stderr, new RegExp(expectedError, 'm'));
  }
});

test('a command name of an earlier release prints the new name', async () => {
  const renamedCommands: Array<[oldName: string, newName: string]> = [
    ['payout list', 'payouts list'],
    ['key create', 'keys create'],
    ['customer show', 'customers get'],
    ['customer change', 'customers update'],
    ['customer reencrypt', 'reencrypt'],
    ['message failures', 'messages list --status failed'],
    ['remove merchants', 'merchants delete'],
    ['pix orphans', 'pix orphans list'],
    ['pix payment move', 'pix payments move'],
    ['staff role', 'staff update'],
    ['report income', 'reports income'],
    ['webhook listen', 'webhooks listen'],
    ['media add', 'media create'],
    ['lead merchant', 'leads merchant'],
  ];
  for (const [oldName, newName] of renamedCommands) {
    const { code, stderr } = await run([...oldName.split(' '), 'x', '--bogus']);
    assert.equal(code, 2, oldName);
    assert.match(stderr, new RegExp(` is now '${newName}'\\. See 'semana .* --help'\\.\n$`), oldName);
  }
});

test('without a service, with a wrong key or a missing role, one sentence says what to do', async () => {
  const runFailing = async (args: string[], env: Record<string, string>) => {
    const { code, stdout, stderr } = await run(args, env);
    assert.deepEqual([code, stdout], [1, '']);
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
    return stderr;
  };
  const closedServer = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => closedServer.once('listening', resolve));
  const { port } = closedServer.address() as AddressInfo;
  await new Promise((resolve) => closedServer.close(resolve));
  const url = `http://127.0.0.1:${port}`;
  assert.equal(
    await runFailing(['payouts', 'list'], { SEMANA_URL: url }),
    `There is no service at ${url} (ECONNREFUSED): start it with 'semana start', or set SEMANA_URL to the address of the staff API.\n`,
  );
  assert.match(
    await runFailing(['payouts', 'list'], { SEMANA_KEY: 'semana_sandbox_wrong' }),
    /refused SEMANA_KEY: set it to the key of a staff user, or unset it and run 'semana login'\./,
  );
  const env = { SEMANA_KEY: (await newStaffUser(service, 'Vera', 'viewer')).key };
  assert.match(
    await runFailing(['payouts', 'create', '--yes'], env),
    /finance.* An admin can change your role with 'semana staff update'\.$/m,
  );
  assert.match(
    await runFailing(['payouts', 'list'], { SEMANA_URL: service.partnerUrl }),
    /Check that SEMANA_URL, .*, is the address of the staff API\.$/m,
  );
});

test('a response of a program other than the staff API is reported with its status and URL', async () => {
  const otherServer = createServer((_request, response) => response.writeHead(404).end('<h1>Not found</h1>'));
  otherServer.listen(0, '127.0.0.1');
  await new Promise((resolve) => otherServer.once('listening', resolve));
  after(() => otherServer.close());
  const url = `http://127.0.0.1:${(otherServer.address() as AddressInfo).port}`;
  const { code, stderr } = await run(['payouts', 'list'], { SEMANA_URL: url });
  assert.equal(code, 1);
  assert.equal(
    stderr,
    `${url} responded with 404, which is not a response of the staff API: check SEMANA_URL.\n`,
  );
});

test('semana login stores a session for its address, commands use it, and semana logout ends it', async () => {
  const configDirectory = await mkdtemp(join(tmpdir(), 'semana-session-'));
  after(() => rm(configDirectory, { recursive: true, force: true }));
  const env = { XDG_CONFIG_HOME: configDirectory };
  const { body } = await service.staff('POST', '/admin/staff', {
    key: OPERATOR_KEY,
    body: { name: 'Lia', role: 'support' },
  });
  const token = new URL(body.invite_url).pathname.split('/').at(-1);
  const [email, password] = ['lia@semana.example', 'uma frase bem comprida 42'];
  const acceptResponse = await service.staff('POST', '/auth/accept', {
    key: null,
    body: { token, email, password },
  });
  assert.ok(acceptResponse.status < 300, acceptResponse.text);

  const outcomeWithoutTerminal = await run(['login'], env);
  assert.deepEqual(
    [outcomeWithoutTerminal.code, /set SEMANA_KEY/.test(outcomeWithoutTerminal.stderr)],
    [2, true],
  );
  const login = (typedPassword: string) =>
    run(['login'], env, { ask: async (question) => (question.startsWith('E-mail') ? email : typedPassword) });
  const wrongOutcome = await login('errada errada');
  assert.equal(wrongOutcome.code, 1, wrongOutcome.stdout);
  const loginOutcome = await login(password);
  assert.equal(loginOutcome.code, 0, loginOutcome.stderr);
  assert.equal(loginOutcome.stdout, `Signed in to ${service.staffUrl} as Lia, support.\n`);
  const file = join(configDirectory, 'semana/session.json');
  const storedSession = JSON.parse(await readFile(file, 'utf8'));
  assert.equal(storedSession.url, service.staffUrl);

  assert.match((await run(['me', 'get'], env)).stdout, /name +Lia\n/);
  const otherNode = await service.startNode();
  assert.doesNotMatch((await run(['me', 'get'], { ...env, SEMANA_URL: otherNode.staffUrl })).stdout, /Lia/);

  assert.equal((await run(['logout'], env)).stdout, 'Signed out.\n');
  await writeFile(file, JSON.stringify(storedSession));
  const endedOutcome = await run(['me', 'get'], env);
  assert.deepEqual(
    [endedOutcome.code, endedOutcome.stderr],
    [1, `Your session at ${service.staffUrl} has ended: run 'semana login'.\n`],
  );
});

test('semana api sends any request, with a body from the command line, a file or standard input', async () => {
  const staffUser = JSON.parse(await runSuccessfully('api', 'GET', '/admin/me'));
  assert.equal(staffUser.role, 'admin');
  const file = join(homeDirectory, 'partner.json');
  await writeFile(file, '{"name":"Do arquivo"}');
  for (const [body, input, name] of [
    ['{"name":"Da linha"}', '', 'Da linha'],
    [`@${file}`, '', 'Do arquivo'],
    ['@-', '{"name":"Da entrada"}', 'Da entrada'],
  ] as const) {
    const { code, stdout, stderr } = await run(
      ['api', 'POST', '/admin/partners', '--body', body],
      {},
      { input },
    );
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).name, name);
  }
  const refusedOutcome = await run(['api', 'GET', '/admin/payouts?status=payd']);
  assert.deepEqual([refusedOutcome.code, /status/.test(refusedOutcome.stderr)], [2, true]);
});

test('a file is sent from its path or standard input, and received by --output', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';
  const createdOutcome = await run(['media', 'create', '-'], {}, { input: svg });
  assert.equal(createdOutcome.code, 0, createdOutcome.stderr);
  const name = createdOutcome.stdout.trim().split('/').at(-1)!;
  const copyPath = join(homeDirectory, 'copy.svg');
  await runSuccessfully('media', 'get', name, '--output', copyPath);
  assert.match(await readFile(copyPath, 'utf8'), /<svg/);
  const unwritableOutcome = await run([
    'media',
    'get',
    name,
    '--output',
    join(homeDirectory, 'none/copy.svg'),
  ]);
  assert.deepEqual([unwritableOutcome.code, /cannot be written/.test(unwritableOutcome.stderr)], [1, true]);
});

test('completion offers commands, options and values', async () => {
  const complete = async (...args: string[]) =>
    (await runSuccessfully('__complete', ...args)).split('\n').map((line) => line.split('\t')[0]);
  assert.deepEqual(await complete('payo'), ['payouts']);
  assert.ok((await complete('payouts', '')).includes('return-file'));
  assert.deepEqual(await complete('payouts', 'list', '--sta'), ['--status']);
  assert.ok((await complete('payouts', 'list', '--status', '')).includes('paid'));
  assert.deepEqual(await complete('payouts', 'list', '--status', 'pai'), ['paid']);
  assert.deepEqual(await complete('help', 'pix', 'orphans', 'as'), ['assign']);
  assert.deepEqual(await complete('import', 'merchants', ''), [''], 'the shell completes file names');
  for (const shell of ['bash', 'zsh', 'fish'])
    assert.match(await runSuccessfully('completion', shell), /semana __complete|__complete/);
});

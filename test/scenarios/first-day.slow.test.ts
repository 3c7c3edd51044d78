/** Runs the instructions of docs/operating.md, "The first day", as they are written, each on an empty live database. */

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request as sendHttpRequest } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { systemClock } from '#platform/clock.ts';
import { SANDBOX_PSP_CLIENT } from '../../src/sandbox/psp/simulator.ts';
import { isOnCitus } from '../citus/database.ts';
import { runCli } from '../commands.ts';
import { isInstalled } from '../examples.ts';
import { eventually } from '../harness.ts';
import { createLiveSettings } from '../live.ts';
import { createUnmigratedDatabase, type ServiceProcess, startProgram, startService } from '../processes.ts';
import { PROJECT } from '../project.ts';
import { query } from '../query.ts';
import { startHttpServer } from '../servers.ts';
import { openTestSimulator } from '../support/psp-simulator.ts';

const directory = mkdtempSync(join(tmpdir(), 'semana-first-day-'));
after(() => rmSync(directory, { recursive: true, force: true }));

const settings = createLiveSettings(directory);
const missingPrograms = ['bash', 'curl', 'jq', 'date', 'openssl'].filter((program) => !isInstalled(program));
/** The reason to skip the tests, or false. */
const skip =
  settings && missingPrograms.length === 0 ? false : `missing programs: ${missingPrograms.join(', ')}`;

/** Returns the shell blocks under a heading. */
function readShellBlocks(heading: string): string[] {
  const document = readFileSync(join(PROJECT, 'docs/operating.md'), 'utf8');
  const [, textAfterHeading = ''] = document.split(`### ${heading}\n`);
  const [section = ''] = textAfterHeading.split(/^##+ /m);
  return Array.from(section.matchAll(/^```sh\n([\s\S]*?)^```$/gm), ([, block]) => block!);
}

/** Opens the simulator of a PSP behind a TLS server. Its callbacks to the public address of the service go to the test's service. */
async function openPsp(getService: () => ServiceProcess | undefined) {
  const publicUrl = settings!.PUBLIC_URL!;
  const { simulator } = await openTestSimulator({
    clock: systemClock,
    keys: [settings!.PIX_KEY!],
    webhookFetch: (url, init) => fetch(String(url).replace(publicUrl, getService()!.partnerUrl), init),
  });
  const tls = { cert: readFileSync(settings!.PSP_CERT!), key: readFileSync(settings!.PSP_KEY!) };
  const server = createTlsServer(tls, (request, response) => {
    const { method, headers, url } = request;
    const simulatorRequest = sendHttpRequest(
      simulator.url() + url,
      { method, headers },
      (simulatorResponse) => {
        response.writeHead(simulatorResponse.statusCode!, simulatorResponse.headers);
        simulatorResponse.pipe(response);
      },
    );
    simulatorRequest.on('error', () => response.destroy());
    request.pipe(simulatorRequest);
  });
  const url = `https://127.0.0.1:${(await startHttpServer(server)).port}`;
  const { id, secret } = SANDBOX_PSP_CLIENT;
  const env = {
    PSP_URL: `${url}/v2`,
    PSP_TOKEN_URL: `${url}/oauth/token`,
    PSP_CA: settings!.PSP_CERT!,
    PSP_CLIENT_ID: id,
    PSP_CLIENT_SECRET: secret,
  };
  return { simulator, env };
}

/**
 * In the shell, `semana` sends its arguments and its input to this process, which runs the command: a process for each would take a minute
 * of CPU. Arguments end with a null byte; the byte 1 separates them from the input.
 */
const SEMANA = `#!/bin/bash
out=$(mktemp -p "$HOME")
code=$({ printf '%s\\0' "$@"; printf '\\1'; [ -p /dev/stdin ] && cat; } |
  curl -sS --data-binary @- -H "semana-url: \${SEMANA_URL:-}" -H "semana-key: \${SEMANA_KEY:-}" "$BRIDGE/semana?out=$out")
cat "$out.out"; cat "$out.err" >&2
exit "$code"
`;

/**
 * Runs the blocks under a heading in one shell, and checks the results. `commandsBefore` has commands to run before the block of that number, from 0.
 * A bridge in this process performs what the shell requests: commands of semana, the start of the service, and payments at the bank.
 */
async function runInstructions(heading: string, commandsBefore: Record<number, string>) {
  const home = join(directory, heading.replaceAll(' ', '-'));
  mkdirSync(join(home, 'bin'), { recursive: true });
  writeFileSync(join(home, 'bin/semana'), SEMANA, { mode: 0o755 });
  const databaseUrl = await createUnmigratedDatabase();
  let service: ServiceProcess | undefined;
  const psp = await openPsp(() => service);
  const env = { ...settings!, ...psp.env, DATABASE_URL: databaseUrl };
  for (const command of isOnCitus() ? ['migrate', 'distribute'] : []) {
    const { code, stderr } = await runCli([command], env);
    assert.equal(code, 0, stderr);
  }

  const bridgeHandlers: Record<string, (url: URL, request: IncomingMessage) => Promise<string>> = {
    async '/semana'(url, request) {
      const [argumentText = '', input = ''] = (await buffer(request)).toString().split('\u0001');
      // Paths are relative to the shell's directory, not to this process's.
      const args = argumentText
        .split('\0')
        .slice(0, -1)
        .map((argument) => (/^[\w.-]+\.(csv|jsonl|svg)$/.test(argument) ? join(home, argument) : argument));
      const { 'semana-url': staffUrl = '', 'semana-key': staffKey = '' } = request.headers as Record<
        string,
        string
      >;
      const shellEnv = { ...env, SEMANA_URL: staffUrl, SEMANA_KEY: staffKey };
      const { code, stdout, stderr } = await runCli(args, shellEnv, { input });
      const outputPath = url.searchParams.get('out')!;
      writeFileSync(`${outputPath}.out`, stdout);
      writeFileSync(`${outputPath}.err`, stderr);
      return String(code);
    },
    async '/start'() {
      service = await startService(env);
      return `API=${service.partnerUrl} STAFF=${service.staffUrl}`;
    },
    async '/pay'(url) {
      const txid = url.searchParams.get('txid')!;
      assert.ok(await psp.simulator.pay(txid));
      await eventually('the payment was recorded', async () => {
        const [charge] = await query<{ status: string }>(
          databaseUrl,
          `select status from pix_charges where txid = '${txid}'`,
        );
        return charge?.status === 'paid';
      });
      return '';
    },
  };
  const bridge = createServer((request, response) => {
    const url = new URL(request.url!, 'http://bridge');
    bridgeHandlers[url.pathname]!(url, request).then(
      (responseText) => response.end(responseText),
      (error: Error) => response.writeHead(500).end(error.stack),
    );
  });
  const { url: bridgeUrl } = await startHttpServer(bridge);
  const script = readShellBlocks(heading).flatMap((block, i) => [commandsBefore[i] ?? '', block]);
  writeFileSync(join(home, 'walk.sh'), ['set -euo pipefail', `cd '${home}'`, ...script].join('\n'));
  const { code, stdout, stderr } = await startProgram(['bash', join(home, 'walk.sh')], {
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
    HOME: home,
    BRIDGE: bridgeUrl,
  }).outcome;
  assert.equal(code, 0, `${stdout}\n${stderr}\n${service?.stderr() ?? ''}`);

  // Both instructions end with a purchase that was partly returned, a paid payout, a failed payout, and an audit without mismatches.
  const payouts = await query<{ status: string; amount_cents: string }>(
    databaseUrl,
    'select status, amount_cents from payouts order by created_at',
  );
  assert.deepEqual(
    payouts.map(({ status, amount_cents }) => [status, Number(amount_cents)]),
    [
      ['paid', 87_30],
      ['failed', 48_50],
    ],
  );
  const sales = await query<{ financed_cents: string }>(
    databaseUrl,
    'select financed_cents from checkouts order by created_at',
  );
  assert.equal(sales.length, 2);
  const audit = await runCli(['audit'], env);
  assert.equal(audit.code, 0, audit.stdout + audit.stderr);
  assert.match(audit.stdout, /agree/);
  const auditTrailCounts = await query<{ count: string }>(databaseUrl, 'select count(*) from audit_trail');
  assert.ok(Number(auditTrailCounts[0]!.count) > 15);
  const health = await fetch(`${service!.partnerUrl}/healthz`);
  assert.equal(health.status, 200, await text(health.body!));
  service!.child.kill('SIGTERM');
  assert.equal((await service!.outcome).code, 0);
  return stdout;
}

const START_COMMANDS = 'eval "$(curl -sS --fail-with-body "$BRIDGE/start")"; export API STAFF';
/** The blocks of shell commands that begin with `semana psp register`, POST /admin/categories and GET /wallet/checkouts. */
const REGISTER_BLOCK = 1;
const CATALOG_BLOCK = 1;
const PAID_BLOCK = 4;

test('with the command line: an empty live database, a merchant, a purchase, a return, a payout, and undoing the mistakes that the instructions show', {
  skip,
}, async () => {
  const output = await runInstructions('From the terminal', { [REGISTER_BLOCK]: START_COMMANDS });
  assert.match(output, /The PSP calls this service\./);
  assert.match(output, /"slug":"flor-do-trigo"/);
  assert.match(output, /87\.30/);
});

test('with the API: an empty live database, a merchant, an offer that is accepted and paid by Pix, a return, a payout, and undoing the mistakes that the instructions show', {
  skip,
}, async () => {
  const payCommand = 'curl -sS --fail-with-body "$BRIDGE/pay?txid=$(jq -r .txid <<< "$PIX")"';
  const output = await runInstructions('By the API', {
    [CATALOG_BLOCK]: `${START_COMMANDS}; semana psp register`,
    [PAID_BLOCK]: payCommand,
  });
  assert.match(output, /"slug":"flor-do-trigo"/);
  assert.match(output, /br\.gov\.bcb\.pix/);
});

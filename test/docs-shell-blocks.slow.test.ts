import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createDataDir, SEMANA_COMMAND, startProgram, startService } from './processes.ts';
import { PROJECT } from './project.ts';

// Runs the shell blocks of the pages for newcomers, in one bash for each page, on a service that is started as a newcomer starts it.

const DATA_DIR = createDataDir();
const service = await startService({ DATA_DIR });

/** Joins the blocks of a page to a script, with the addresses and the command line of this service. */
async function readScript(page: string): Promise<string> {
  const text = await readFile(join(PROJECT, page), 'utf8');
  const blocks = [...text.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block]) => block);
  assert.ok(blocks.length > 0, page);
  return blocks
    .join('\n')
    .replaceAll('http://localhost:3000', service.partnerUrl)
    .replaceAll('http://localhost:3001', service.staffUrl)
    .replaceAll('npx semana', SEMANA_COMMAND.map((word) => `'${word}'`).join(' '));
}

async function runScript(script: string): Promise<string> {
  const { outcome } = startProgram(
    ['bash', '-euo', 'pipefail'],
    { DATA_DIR, SEMANA_URL: service.staffUrl },
    script,
  );
  const { code, stdout, stderr } = await outcome;
  assert.equal(code, 0, stdout + stderr);
  assert.doesNotMatch(stdout, /^undefined$/m, 'every response has the fields that the page reads');
  assert.doesNotMatch(stdout, /"status":\s*5\d\d/, 'no response is a server error');
  return stdout;
}

/** Waits for the payment: under load the callback of the bank may take longer than the page waits. */
const WAIT_UNTIL_PAID = `
for _ in $(seq 300); do
  STATUS=$(curl -s -H "$KEY" -H "$TOKEN" $SEMANA/wallet/pix/$(echo "$PIX" | json .id) | json .status)
  if [ "$STATUS" = paid ]; then break; fi
  sleep 0.1
done
echo "Final status: $STATUS"
curl -s -H "$OPERATOR" -X POST $STAFF/sandbox/reset`;

for (const page of ['README.md', 'README.pt-BR.md']) {
  test(`${page}: its commands work when pasted, from a key to a paid Pix`, async () => {
    const output = await runScript((await readScript(page)) + WAIT_UNTIL_PAID);
    assert.match(output, /Padaria/);
    assert.match(output, /^000201.*br\.gov\.bcb\.pix/m);
    assert.match(output, /^Final status: paid$/m);
  });
}

for (const page of ['docs/tour.md', 'docs/tour.pt-BR.md']) {
  test(`${page}: its commands do what the page says when pasted, and the audit finds no mismatch`, async () => {
    assert.match(await runScript(await readScript(page)), /everything agrees/);
  });
}

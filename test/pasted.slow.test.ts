import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createDataDir, PROJECT, SEMANA, startProgram, startService } from './processes.ts';

// Every shell block of the pages that newcomers paste from, in one bash each, on the service as they start it.

const DATA_DIR = createDataDir();
const service = await startService({ DATA_DIR });

/** The blocks of a page as one script, with the addresses and the command line of this service. */
async function scriptOf(page: string): Promise<string> {
  const text = await readFile(join(PROJECT, page), 'utf8');
  const blocks = [...text.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block]) => block);
  assert.ok(blocks.length > 0, page);
  return blocks
    .join('\n')
    .replaceAll('http://localhost:3000', service.partnerUrl)
    .replaceAll('http://localhost:3001', service.staffUrl)
    .replaceAll('npx semana', SEMANA.map((word) => `'${word}'`).join(' '));
}

async function paste(script: string): Promise<string> {
  const { outcome } = startProgram(
    ['bash', '-euo', 'pipefail'],
    { DATA_DIR, SEMANA_URL: service.staffUrl },
    script,
  );
  const { code, stdout, stderr } = await outcome;
  assert.equal(code, 0, stdout + stderr);
  assert.doesNotMatch(stdout, /^undefined$/m, 'every answer has what the page reads from it');
  assert.doesNotMatch(stdout, /"status":\s*5\d\d/, 'the service is never at a loss');
  return stdout;
}

/** Under load the callback of the bank may take longer than the page waits. */
const UNTIL_PAID = `
for _ in $(seq 300); do
  STATUS=$(curl -s -H "$KEY" -H "$TOKEN" $SEMANA/wallet/pix/$(echo "$PIX" | json .id) | json .status)
  if [ "$STATUS" = paid ]; then break; fi
  sleep 0.1
done
echo "In the end: $STATUS"
curl -s -H "$OPERATOR" -X POST $STAFF/sandbox/reset`;

for (const page of ['README.md', 'README.pt-BR.md']) {
  test(`${page}: its commands work when pasted, from a key to a paid Pix`, async () => {
    const printed = await paste((await scriptOf(page)) + UNTIL_PAID);
    assert.match(printed, /Padaria/);
    assert.match(printed, /^000201.*br\.gov\.bcb\.pix/m);
    assert.match(printed, /^In the end: paid$/m);
  });
}

for (const page of ['docs/tour.md', 'docs/tour.pt-BR.md']) {
  test(`${page}: its commands do what the page says when pasted, and the audit finds no mismatch`, async () => {
    assert.match(await paste(await scriptOf(page)), /everything agrees/);
  });
}

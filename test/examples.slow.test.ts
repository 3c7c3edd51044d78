import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getExpectedOutput, listExamples, listMissingPrograms, runExample } from './examples.ts';
import { openService } from './harness.ts';
import { openWebhookReceiver } from './support/webhook-receiver.ts';

// curl and Node run in guides.test.ts.
for (const language of ['python', 'php'] as const) {
  const missingPrograms = listMissingPrograms(language);
  process.stderr.write(
    missingPrograms.length === 0
      ? `The examples in ${language} are run.\n`
      : `The examples in ${language} are left out, not installed: ${missingPrograms.join(', ')}\n`,
  );
  for (const file of listExamples(language))
    test(`examples/${language}/${file} does what the guides say`, {
      skip: missingPrograms.length > 0 && `not installed: ${missingPrograms.join(', ')}`,
    }, async () => {
      const sandbox = await openService();
      const receiver = await openWebhookReceiver();
      const env = { SEMANA_URL: sandbox.partnerUrl, HOOK_URL: receiver.url };
      assert.match(await runExample(language, file, env), getExpectedOutput(file));
    });
}

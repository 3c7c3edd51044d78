import assert from 'node:assert/strict';
import { test } from 'node:test';
import { officeModule, webModule } from './module.ts';

test('in live mode the service does not read the settings of the pages, which have processes of their own', () => {
  const deps = {
    config: { mode: 'live' },
    get settings(): never {
      throw new Error('the settings are read');
    },
  };
  for (const module of [webModule, officeModule]) assert.deepEqual(module.open!(deps as never), {});
});

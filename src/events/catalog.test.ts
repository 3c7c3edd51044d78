import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { EVENT_CATALOG, EVENT_TYPES, exampleOf } from './catalog.ts';

test('the example of every type is one that its schema allows, to the last field', () => {
  const ajv = addFormats.default(new Ajv2020({ strict: false }));
  for (const type of EVENT_TYPES) {
    const validate = ajv.compile({ ...EVENT_CATALOG[type], additionalProperties: false });
    assert.ok(validate(exampleOf(type)), `${type}: ${JSON.stringify(validate.errors)}`);
  }
});

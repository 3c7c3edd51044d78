import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { EVENT_CATALOG, EVENT_TYPES, getExample } from './catalog.ts';

test('the example of every event type matches its schema', () => {
  const ajv = addFormats.default(new Ajv2020({ strict: false }));
  for (const type of EVENT_TYPES) {
    const validate = ajv.compile({ ...EVENT_CATALOG[type], additionalProperties: false });
    assert.ok(validate(getExample(type)), `${type}: ${JSON.stringify(validate.errors)}`);
  }
});

test('docs/events.md describes every type', () => {
  const docs = readFileSync('docs/events.md', 'utf8');
  const documentedTypes = [...docs.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell]) => {
    // A row names one type, or several of a group: `offer.created`, `.claimed`.
    const names = [...cell!.matchAll(/`([^`]*)`/g)].map(([, name]) => name!);
    const group = names[0]!.split('.')[0];
    return names.map((name) => (name.startsWith('.') ? `${group}${name}` : name));
  });
  assert.deepEqual(
    EVENT_TYPES.filter((type) => !documentedTypes.includes(type)),
    [],
  );
});

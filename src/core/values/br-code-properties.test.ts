import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type BrCode, decodeBrCode, encodeBrCode } from './br-code.ts';
import { cents } from './money.ts';

const anyAscii = (max: number) =>
  fc.stringMatching(new RegExp(`^[!-~]([ -~]{0,${max - 2}}[!-~])?$`)).map((s) => s.replace(/ +/g, ' '));
const anyToken = (max: number) => fc.stringMatching(new RegExp(`^[a-z0-9/.:-]{1,${max}}$`));
const anyCode: fc.Arbitrary<BrCode> = fc.record(
  {
    target: fc.oneof(
      fc.record(
        { kind: fc.constant('static' as const), key: anyToken(36), info: anyAscii(20) },
        { requiredKeys: ['kind', 'key'], noNullPrototype: true },
      ),
      fc.record({ kind: fc.constant('dynamic' as const), location: anyToken(77) }, { noNullPrototype: true }),
    ),
    initiation: fc.constantFrom('11' as const, '12' as const),
    merchantCategory: fc.stringMatching(/^\d{4}$/),
    amount: fc.integer({ min: 1, max: 999_999_999_999 }).map(cents),
    merchantName: anyAscii(25),
    merchantCity: anyAscii(15),
    postalCode: fc.stringMatching(/^\d{8}$/),
    txid: fc.stringMatching(/^[a-zA-Z0-9]{1,25}$/),
    recurrenceLocation: anyToken(77),
  },
  {
    requiredKeys: ['target', 'merchantCategory', 'merchantName', 'merchantCity', 'txid'],
    noNullPrototype: true,
  },
);

test('every encoded code decodes to the same value', () => {
  fc.assert(
    fc.property(anyCode, (code) => {
      const decoded = decodeBrCode(encodeBrCode(code));
      assert.ok(decoded.ok, JSON.stringify(decoded));
      assert.deepEqual(decoded.code, code);
      assert.equal(encodeBrCode(decoded.code), encodeBrCode(code));
    }),
  );
});

test('a code with one changed character, or truncated, is never accepted', () => {
  fc.assert(
    fc.property(anyCode, fc.nat(), fc.integer({ min: 1, max: 94 }), (code, position, shift) => {
      const text = encodeBrCode(code);
      const i = position % (text.length - 4);
      const changedCharacter = String.fromCharCode(32 + ((text.charCodeAt(i) - 32 + shift) % 95));
      assert.equal(decodeBrCode(text.slice(0, i) + changedCharacter + text.slice(i + 1)).ok, false);
      assert.equal(decodeBrCode(text.slice(0, i)).ok, false);
    }),
  );
});

test('no text makes the decoder throw', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assert.equal(decodeBrCode(text).ok, false)));
});

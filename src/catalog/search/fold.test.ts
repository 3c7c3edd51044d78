import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fold, nameKey, words } from './fold.ts';

test('fold: case and accents make no difference', () => {
  assert.equal(fold('Pão de AÇÚCAR'), 'pao de acucar');
  assert.equal(fold('pa\u0303o'), 'pao');
  assert.equal(fold('ÀÉÎÕÜ Ñ'), 'aeiou n');
});

test('fold: letters that Unicode does not decompose are spelt as one would type them', () => {
  assert.equal(fold('Straße Æsop Œuvre Smørrebrød Łódź ıİ'), 'strasse aesop oeuvre smorrebrod lodz ii');
  assert.equal(fold('ΟΔΟΣ'), 'οδοσ');
});

test('fold: ordinals, ligatures and full-width letters become plain ones', () => {
  assert.equal(fold('Nº 1ª ﬁta ＳＡＯ'), 'no 1a fita sao');
});

test('fold: folding twice changes nothing, whatever the text', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => fold(fold(text)) === fold(text)));
});

test('words: runs of letters and digits of any script, without what stands between them', () => {
  assert.deepEqual(words("  D'Ávila & Cia., nº 24-7 "), ['d', 'avila', 'cia', 'no', '24', '7']);
  assert.deepEqual(words('寿司 Суши'), ['寿司', 'суши']);
  assert.deepEqual(words('!!! ... 🍞'), []);
});

test('nameKey: a shorter name comes before the longer one it begins, namesakes by slug', () => {
  const keys = [
    nameKey('Bar do Zé', 'a'),
    nameKey('BAR', 'b'),
    nameKey('Bár', 'a'),
    nameKey('Açaí', 'z'),
    nameKey('Barão', 'a'),
  ];
  assert.deepEqual(keys.toSorted(), [
    'acai\u0000z',
    'bar\u0000a',
    'bar\u0000b',
    'bar do ze\u0000a',
    'barao\u0000a',
  ]);
});

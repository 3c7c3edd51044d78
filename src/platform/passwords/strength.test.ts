import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findWeakness, type PasswordOwner } from './strength.ts';

const ana: PasswordOwner = {
  phone: '+5511987650001',
  name: 'Ana Souza Conceição',
  email: 'ana.beatriz@example.com',
};

const isRefused = async (password: string, owner: PasswordOwner = ana) =>
  (await findWeakness(password, owner)) !== undefined;

const splitWords = (text: string) => text.split(' ');

test('the most commonly leaked passwords are refused, including Brazilian ones', async () => {
  const commonPasswords = splitWords(
    '12345678 123456789 password iloveyou qwertyuiop q1w2e3r4 1q2w3e4r abcd1234 senha123 senha1234 brasil123 ' +
      'mudar123 123mudar flamengo corinthians palmeiras fluminense internacional gabriel123 escola1234 familia1 10203040',
  );
  for (const password of commonPasswords) assert.ok(await isRefused(password), password);
});

test('a common password is also refused with capitals, accents, signs in place of letters, or a few added digits', async () => {
  const disguisedPasswords = splitWords(
    'Password Senha@123 P@ssw0rd Fl@mengo10 !!brasil!! Corinthians2026 FELICIDADE felicidáde1 senhasenha',
  );
  for (const password of disguisedPasswords) assert.ok(await isRefused(password), password);
});

test('a repeated text or a sequence of characters is refused', async () => {
  for (const password of splitWords(
    'aaaaaaaa 00000000 12341234 23456789 98765432 hijklmnop abcabcabc 19871987',
  ))
    assert.ok(await isRefused(password), password);
});

test("a password made of the customer's own phone, name or e-mail is refused", async () => {
  const ownDataPasswords = splitWords(
    '11987650001 +5511987650001 987650001 98765-0001 x11987650001 AnaSouza ana.souza1 souza1987! Conceicao2026 beatrizana1',
  );
  for (const password of ownDataPasswords) assert.ok(await isRefused(password), password);
  assert.ok(!(await isRefused('98765-0001-lua')), 'own data with more than two other letters');
  assert.ok(
    !(await isRefused('11987650002', { ...ana, phone: '+5521999990000' })),
    'the phone of another person',
  );
});

test('other passwords are accepted: those of the demo, several words, and random ones', async () => {
  const strongPasswords = [
    'semana-demo-1',
    'semana-demo-3',
    'cinco palavras ao acaso bastam',
    'oito letras',
    'x9Kd!2mq',
    'ana gosta de sorvete',
    'correct horse battery staple',
    'ソウルフード大好き',
    'Tr4v3ss1a-lunar',
  ];
  for (const password of strongPasswords) assert.ok(!(await isRefused(password)), password);
});

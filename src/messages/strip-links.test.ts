import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripLinks } from './strip-links.ts';

test('stripLinks removes everything that a phone would turn into a link', () => {
  const cases = {
    'Golpe https://evil.example/x?y=1 aqui': 'Golpe evil example x y 1 aqui',
    'loja.com.br': 'loja com br',
    'www.loja.com.br/promo': 'www loja com br promo',
    'fale@loja.com': 'fale loja com',
    'http://1.2.3.4:8080/a': '1 2 3 4 8080 a',
    '10.0.0.1': '10 0 0 1',
    'evil\u200b.\u200bcom': 'evil com',
    'evil．com': 'evil com',
    'evil。com': 'evil com',
    'açaí.com': 'açaí com',
    'bit.ly/3xYz': 'bit ly 3xYz',
    'https://localhost/x': 'localhost/x',
    'x.xn--p1ai': 'x xn--p1ai',
  };
  for (const [text, expected] of Object.entries(cases)) assert.equal(stripLinks(text), expected);
});

test('stripLinks leaves ordinary names unchanged', () => {
  for (const name of [
    'Padaria Flor do Trigo',
    'Tudo 1.99',
    'Silva & Cia. Ltda.',
    'Casas S.A.',
    'A/C Dona Rosa',
  ])
    assert.equal(stripLinks(name), name);
});

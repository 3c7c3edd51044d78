/**
 * What the texts of problems are in Portuguese. `{}` stands for what differs from one time to the next; `{R$}` for an amount.
 * A text of several sentences is looked up whole, then sentence by sentence.
 */
export type Translations = Readonly<Record<string, string>>;

export type Translate = (text: string) => string | undefined;

export function translator(tables: readonly Translations[]): Translate {
  const texts = new Map(tables.flatMap((table) => Object.entries(table)));
  const patterns = [...texts]
    .filter(([english]) => english.includes('{}'))
    .map(([english, portuguese]) => [toPattern(english), portuguese] as const);
  const find = (text: string) => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    for (const [pattern, portuguese] of patterns) {
      const match = pattern.exec(text);
      if (match) return fill(portuguese, match.slice(1));
    }
    return undefined;
  };
  return (text) => {
    const whole = find(text);
    if (whole !== undefined) return whole;
    const sentences = text.split(/(?<=\.) (?=[A-Z])/).map(find);
    return sentences.includes(undefined) ? undefined : sentences.join(' ');
  };
}

function toPattern(english: string): RegExp {
  const parts = english.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('(.*?)')}$`);
}

function fill(portuguese: string, values: string[]): string {
  let next = 0;
  return portuguese.replace(/\{(R\$)?\}/g, (_, money) => {
    const value = values[next++] ?? '';
    return money ? `R$ ${Number(value).toLocaleString('pt-BR', { minimumFractionDigits: 2 })}` : value;
  });
}

const IN: Record<string, string> = {
  body: 'no corpo da requisição',
  query: 'nos parâmetros',
  headers: 'nos cabeçalhos',
  request: 'na requisição',
};

export const platformPortuguese: Translations = {
  ...Object.fromEntries(
    Object.entries(IN).flatMap(([place, where]) => [
      [`A fault in the ${place}.`, `Há um erro ${where}.`],
      [`{} faults in the ${place}.`, `Há {} erros ${where}.`],
    ]),
  ),
  'Try again in {} s.': 'Tente de novo em {} s.',
  'Try again in a moment.': 'Tente de novo em instantes.',
  'There is nothing at this address.': 'Não há nada neste endereço.',
  'The path is {}, without a slash at the end.': 'O caminho é {}, sem barra no fim.',
  'There is no problem with this code.': 'Não há problema com este código.',
  'Too much is under way for this customer.': 'Há operações demais em andamento para este cliente.',
  'A request with this Idempotency-Key is still running.':
    'Uma requisição com esta Idempotency-Key ainda está em andamento.',
  'This Idempotency-Key was used for another request within 24 hours.':
    'Esta Idempotency-Key já foi usada para outra requisição nas últimas 24 horas.',
  'The header Host is missing.': 'Falta o cabeçalho Host.',
  'The body is empty.': 'O corpo da requisição está vazio.',
  'The body has too many fields.': 'O corpo da requisição tem campos demais.',
  '{} is not possible here; {} are.': '{} não é aceito aqui; aceitos: {}.',
  'The database is away.': 'O banco de dados está fora do ar.',
  'The body has more than {} bytes.': 'O corpo da requisição tem mais de {} bytes.',
  'The body did not arrive whole.': 'O corpo da requisição não chegou inteiro.',
  'The body must be sent as application/json.': 'O corpo deve ser enviado como application/json.',
  'The body is not well-formed JSON.': 'O corpo da requisição não é um JSON bem formado.',
  'The address is not well percent-encoded.': 'O endereço não está bem codificado.',
  'The request is not well-formed.': 'A requisição está malformada.',
  'Something went wrong on our side.': 'Algo deu errado do nosso lado.',
  'It has been logged under this request id.': 'Ficou registrado com este request_id.',
  // Of single fields.
  'is required': 'é obrigatório',
  '{} is required': '{} é obrigatório',
  'is not a known field': 'não é um campo conhecido',
  'must have at most {} fields and elements in all': 'deve ter no máximo {} campos e elementos ao todo',
  'is not valid': 'não é válido',
  'must be a string': 'deve ser um texto',
  'must be a number': 'deve ser um número',
  'must be an integer': 'deve ser um número inteiro',
  'must be a boolean': 'deve ser verdadeiro ou falso',
  'must be an object': 'deve ser um objeto',
  'must be an array': 'deve ser uma lista',
  'must be one of {}': 'deve ser um destes: {}',
  'must have at least {} character': 'deve ter pelo menos {} caractere',
  'must have at least {} characters': 'deve ter pelo menos {} caracteres',
  'must have at most {} character': 'deve ter no máximo {} caractere',
  'must have at most {} characters': 'deve ter no máximo {} caracteres',
  'must be at least {}': 'deve ser no mínimo {}',
  'must be above {}': 'deve ser maior que {}',
  'must be at most {}': 'deve ser no máximo {}',
  'must be from {} to {}': 'deve ficar entre {} e {}',
  'must match {}': 'deve seguir o padrão {}',
  'must be an e-mail address': 'deve ser um endereço de e-mail',
  'must be a phone number in international format, like +5511987654321':
    'deve ser um telefone em formato internacional, como +5511987654321',
  'must not be blank, nor hold a NUL character or half of a character':
    'não pode ficar em branco nem conter o caractere NUL ou metade de um caractere',
  'must be a CPF, like 123.456.789-09, whose check digits agree':
    'deve ser um CPF, como 123.456.789-09, com dígitos verificadores corretos',
  'must be a day of birth like 1990-05-31, not in the future':
    'deve ser uma data de nascimento como 1990-05-31, não no futuro',
  'must not be in the future': 'não pode estar no futuro',
  'must be an amount in reais with at most two decimals':
    'deve ser um valor em reais com até duas casas decimais',
  'must be an instant like 2026-11-15T12:00:00Z': 'deve ser um instante como 2026-11-15T12:00:00Z',
};

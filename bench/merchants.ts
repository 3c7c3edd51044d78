/** Generated merchants that repeat words as real ones do: few kinds, many names, some numbers. */

export const KINDS = [
  ['padarias', 'Padaria'],
  ['padarias', 'Confeitaria'],
  ['mercados', 'Mercado'],
  ['mercados', 'Supermercado'],
  ['mercados', 'Mercearia'],
  ['farmacias', 'Farmácia'],
  ['farmacias', 'Drogaria'],
  ['casa', 'Móveis'],
  ['casa', 'Colchões'],
  ['moda', 'Modas'],
  ['moda', 'Calçados'],
  ['moda', 'Boutique'],
  ['saude', 'Clínica'],
  ['saude', 'Ótica'],
  ['pets', 'Petshop'],
  ['pets', 'Agropecuária'],
  ['autos', 'Autopeças'],
  ['autos', 'Oficina'],
  ['tecnologia', 'Informática'],
  ['tecnologia', 'Celulares'],
  ['construcao', 'Materiais'],
  ['construcao', 'Ferragens'],
  ['restaurantes', 'Restaurante'],
  ['restaurantes', 'Pizzaria'],
] as const;

const FIRST = [
  'São',
  'Santa',
  'Nova',
  'Bela',
  'Flor',
  'Estrela',
  'Ponto',
  'Casa',
  'Rei',
  'Império',
  'Recanto',
  'Cantinho',
  'Vila',
  'Jardim',
  'Bom',
  'Boa',
  'Três',
  'Dois',
  'Grande',
  'Pequeno',
  'Alto',
  'Porto',
  'Serra',
  'Campo',
  'Praia',
  'Sol',
  'Lua',
];

const SECOND = [
  'João',
  'José',
  'Pedro',
  'Paulo',
  'Antônio',
  'Francisco',
  'Luzia',
  'Rita',
  'Clara',
  'Helena',
  'Esperança',
  'Vitória',
  'Conceição',
  'Aparecida',
  'Horizonte',
  'Aurora',
  'Primavera',
  'Oliveira',
  'Silveira',
  'Nogueira',
  'Pereira',
  'Moreira',
  'Carvalho',
  'Ribeiro',
  'Monteiro',
  'Cardoso',
  'Barbosa',
  'Teixeira',
  'Figueira',
  'Palmeira',
  'Mangueira',
  'Jequitibá',
  'Ipê',
  'Jacarandá',
  'Buriti',
  'Caju',
  'Açaí',
  'Guaraná',
  'Pitanga',
  'Jabuticaba',
  'Mineiro',
  'Paulista',
  'Goiano',
  'Baiano',
  'Cearense',
  'Gaúcho',
  'Paraense',
  'Pantanal',
  'Sertão',
  'Litoral',
];

const CITIES = [
  ['São Paulo', 'SP'],
  ['Campinas', 'SP'],
  ['Santos', 'SP'],
  ['Recife', 'PE'],
  ['Olinda', 'PE'],
  ['Belém', 'PA'],
  ['Curitiba', 'PR'],
  ['Londrina', 'PR'],
  ['Goiânia', 'GO'],
  ['Manaus', 'AM'],
  ['Fortaleza', 'CE'],
  ['Salvador', 'BA'],
  ['Porto Alegre', 'RS'],
  ['Florianópolis', 'SC'],
  ['Belo Horizonte', 'MG'],
  ['Uberlândia', 'MG'],
  ['Natal', 'RN'],
  ['Maceió', 'AL'],
  ['Cuiabá', 'MT'],
  ['Brasília', 'DF'],
] as const;

const WORDS = [
  'atendimento',
  'família',
  'entrega',
  'bairro',
  'qualidade',
  'tradição',
  'preço',
  'justo',
  'novidades',
  'semana',
  'produtos',
  'frescos',
  'artesanal',
  'completo',
  'variedade',
  'marcas',
  'garantia',
  'serviço',
  'rápido',
  'conforto',
  'crianças',
  'cliente',
  'anos',
  'centro',
  'loja',
  'oficial',
  'cuidado',
  'especial',
  'desde',
  'sempre',
];

/** Deterministic random numbers, so that runs can be compared. */
export function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const pick = <T>(list: readonly T[], next: (below: number) => number): T => list[next(list.length)]!;

export function categoryLines(): string {
  const slugs = new Set(KINDS.map(([slug]) => slug));
  return [...slugs]
    .map((slug) => `${JSON.stringify({ slug, name: slug[0]!.toUpperCase() + slug.slice(1) })}\n`)
    .join('');
}

export function* merchantLines(count: number): Generator<string> {
  const next = chance(42);
  for (let i = 0; i < count; i++) {
    const [category, kind] = pick(KINDS, next);
    const [city, state] = pick(CITIES, next);
    const merchant = {
      slug: `loja-${i}`,
      name: `${kind} ${pick(FIRST, next)} ${pick(SECOND, next)}${next(3) === 0 ? ` ${next(2000)}` : ''}`,
      category,
      description: `${Array.from({ length: 14 }, () => pick(WORDS, next)).join(' ')}.`,
      logo_url: `/media/logos/loja-${i}.svg`,
      city,
      state,
      website: `https://loja-${i}.example`,
      cashback_percent: next(1000) / 100,
    };
    yield `${JSON.stringify(merchant)}\n`;
  }
}

/** Distinct searches as people type them: one to three words, half of them cut short or with a typo. */
export function searches(count: number): string[] {
  const next = chance(7);
  const found = new Set<string>();
  while (found.size < count) {
    const parts = [pick(KINDS, next)[1], pick(FIRST, next), pick(SECOND, next)];
    const words = parts.slice(next(2), 2 + next(2)).map((word) => disturb(word, next));
    if (next(3) === 0) words.push(String(next(2000)));
    found.add(words.join(' ').toLowerCase());
  }
  return [...found];
}

function disturb(word: string, next: (below: number) => number): string {
  const letters = [...word.normalize('NFD').replace(/\p{M}/gu, '')];
  const at = next(letters.length);
  switch (next(8)) {
    case 0:
      return letters.slice(0, Math.max(2, at)).join('');
    case 1:
      letters.splice(at, 1);
      break;
    case 2:
      letters.splice(at, 0, 'aeiourst'[next(8)]!);
      break;
    case 3:
      letters[at] = 'aeiourst'[next(8)]!;
      break;
  }
  return letters.join('');
}

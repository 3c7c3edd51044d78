/** Generates merchants whose names repeat words as real ones do: few kinds of business, many names, some numbers. */

/** Kinds of business: the slug of the category, and the first word of the merchants' names. */
const BUSINESS_KINDS = [
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

const splitWords = (text: string): string[] => text.trim().split(/\s+/);

const FIRST_NAMES = splitWords(`
  São Santa Nova Bela Flor Estrela Ponto Casa Rei Império Recanto Cantinho Vila Jardim Bom Boa Três Dois
  Grande Pequeno Alto Porto Serra Campo Praia Sol Lua`);

const SECOND_NAMES = splitWords(`
  João José Pedro Paulo Antônio Francisco Luzia Rita Clara Helena Esperança Vitória Conceição Aparecida
  Horizonte Aurora Primavera Oliveira Silveira Nogueira Pereira Moreira Carvalho Ribeiro Monteiro Cardoso
  Barbosa Teixeira Figueira Palmeira Mangueira Jequitibá Ipê Jacarandá Buriti Caju Açaí Guaraná Pitanga
  Jabuticaba Mineiro Paulista Goiano Baiano Cearense Gaúcho Paraense Pantanal Sertão Litoral`);

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

const DESCRIPTION_WORDS = splitWords(`
  atendimento família entrega bairro qualidade tradição preço justo novidades semana produtos frescos
  artesanal completo variedade marcas garantia serviço rápido conforto crianças cliente anos centro loja
  oficial cuidado especial desde sempre`);

/** Returns a random number generator that is deterministic, so that runs can be compared. It returns integers below a limit. */
function createRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const pick = <T>(list: readonly T[], randomBelow: (limit: number) => number): T =>
  list[randomBelow(list.length)]!;

export function generateCategoryLines(): string {
  const slugs = new Set(BUSINESS_KINDS.map(([slug]) => slug));
  return [...slugs]
    .map((slug) => `${JSON.stringify({ slug, name: slug[0]!.toUpperCase() + slug.slice(1) })}\n`)
    .join('');
}

export function* generateMerchantLines(count: number): Generator<string> {
  const randomBelow = createRandom(42);
  for (let i = 0; i < count; i++) {
    const [category, firstWord] = pick(BUSINESS_KINDS, randomBelow);
    const [city, state] = pick(CITIES, randomBelow);
    const merchant = {
      slug: `loja-${i}`,
      name: `${firstWord} ${pick(FIRST_NAMES, randomBelow)} ${pick(SECOND_NAMES, randomBelow)}${randomBelow(3) === 0 ? ` ${randomBelow(2000)}` : ''}`,
      category,
      description: `${Array.from({ length: 14 }, () => pick(DESCRIPTION_WORDS, randomBelow)).join(' ')}.`,
      logo_url: `/media/logos/loja-${i}.svg`,
      city,
      state,
      website: `https://loja-${i}.example`,
      cashback_percent: randomBelow(1000) / 100,
    };
    yield `${JSON.stringify(merchant)}\n`;
  }
}

/** Generates distinct searches as people type them: one to three words, half of them cut short or with a typo. */
export function generateSearches(count: number): string[] {
  const randomBelow = createRandom(7);
  const distinctSearches = new Set<string>();
  while (distinctSearches.size < count) {
    const nameWords = [
      pick(BUSINESS_KINDS, randomBelow)[1],
      pick(FIRST_NAMES, randomBelow),
      pick(SECOND_NAMES, randomBelow),
    ];
    const words = nameWords
      .slice(randomBelow(2), 2 + randomBelow(2))
      .map((word) => addTypo(word, randomBelow));
    if (randomBelow(3) === 0) words.push(String(randomBelow(2000)));
    distinctSearches.add(words.join(' ').toLowerCase());
  }
  return [...distinctSearches];
}

/** Changes a word in half of the calls: shortens it, or deletes, inserts or replaces a letter. Always removes the accents. */
function addTypo(word: string, randomBelow: (limit: number) => number): string {
  const letters = [...word.normalize('NFD').replace(/\p{M}/gu, '')];
  const position = randomBelow(letters.length);
  switch (randomBelow(8)) {
    case 0:
      return letters.slice(0, Math.max(2, position)).join('');
    case 1:
      letters.splice(position, 1);
      break;
    case 2:
      letters.splice(position, 0, 'aeiourst'[randomBelow(8)]!);
      break;
    case 3:
      letters[position] = 'aeiourst'[randomBelow(8)]!;
      break;
  }
  return letters.join('');
}

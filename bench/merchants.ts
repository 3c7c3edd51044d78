/** Generates merchants whose names repeat words as real ones do: few kinds of business, many names, some numbers. */

/** For each kind of business, the slug of its category and the first word of the merchants' names. */
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

/** Cities with their states. */
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

/** The numbers in names are below this. */
const MAX_NUMBER_IN_NAME = 2_000;

const DESCRIPTION_WORDS = splitWords(`
  atendimento família entrega bairro qualidade tradição preço justo novidades semana produtos frescos
  artesanal completo variedade marcas garantia serviço rápido conforto crianças cliente anos centro loja
  oficial cuidado especial desde sempre`);

/**
 * Creates a generator of random integers from 0 to below a limit. The same seed yields the same numbers, so that runs can be compared. It is a
 * linear congruential generator.
 */
function createRandomBelow(seed: number): (limit: number) => number {
  let current = seed;
  return (limit) => {
    current = (Math.imul(current, 1664525) + 1013904223) >>> 0;
    return Math.floor((current / 2 ** 32) * limit);
  };
}

const pick = <T>(list: readonly T[], randomBelow: (limit: number) => number): T =>
  list[randomBelow(list.length)]!;

const capitalize = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Generates the file that `semana import categories` reads. */
export function generateCategoryLines(): string {
  const slugs = new Set(BUSINESS_KINDS.map(([slug]) => slug));
  return [...slugs].map((slug) => `${JSON.stringify({ slug, name: capitalize(slug) })}\n`).join('');
}

/** Generates the lines of the file that `semana import merchants` reads. */
export function* generateMerchantLines(count: number): Generator<string> {
  const randomBelow = createRandomBelow(42);
  for (let i = 0; i < count; i++) {
    const [category, firstWord] = pick(BUSINESS_KINDS, randomBelow);
    const [city, state] = pick(CITIES, randomBelow);
    const nameWords = [firstWord, pick(FIRST_NAMES, randomBelow), pick(SECOND_NAMES, randomBelow)];
    if (randomBelow(3) === 0) nameWords.push(String(randomBelow(MAX_NUMBER_IN_NAME)));
    const merchant = {
      slug: `loja-${i}`,
      name: nameWords.join(' '),
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
  const randomBelow = createRandomBelow(7);
  const distinctSearches = new Set<string>();
  while (distinctSearches.size < count) {
    const [, firstWord] = pick(BUSINESS_KINDS, randomBelow);
    const nameWords = [firstWord, pick(FIRST_NAMES, randomBelow), pick(SECOND_NAMES, randomBelow)];
    const words = nameWords
      .slice(randomBelow(2), 2 + randomBelow(2))
      .map((word) => addTypo(word, randomBelow));
    if (randomBelow(3) === 0) words.push(String(randomBelow(MAX_NUMBER_IN_NAME)));
    distinctSearches.add(words.join(' ').toLowerCase());
  }
  return [...distinctSearches];
}

const TYPOS = ['shortened', 'letter deleted', 'letter inserted', 'letter replaced'] as const;
const TYPO_LETTERS = [...'aeiourst'];

/** Removes the accents of a word, and adds a typo in half of the calls. */
function addTypo(word: string, randomBelow: (limit: number) => number): string {
  const letters = [...word.normalize('NFD').replace(/\p{M}/gu, '')];
  const position = randomBelow(letters.length);
  switch (TYPOS[randomBelow(2 * TYPOS.length)]) {
    case 'shortened':
      return letters.slice(0, Math.max(2, position)).join('');
    case 'letter deleted':
      letters.splice(position, 1);
      break;
    case 'letter inserted':
      letters.splice(position, 0, pick(TYPO_LETTERS, randomBelow));
      break;
    case 'letter replaced':
      letters[position] = pick(TYPO_LETTERS, randomBelow);
      break;
  }
  return letters.join('');
}

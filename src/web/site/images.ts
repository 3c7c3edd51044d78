import { drawImage } from '../server/og-image.ts';
import { longDate, percent } from '../text/format.ts';
import { placeOf } from '../ui/parts.tsx';
import type { MakePage } from './visit.ts';

const png = async (given: Parameters<typeof drawImage>[0]) => ({
  type: 'image/png',
  body: await drawImage(given),
});

export const siteImage: MakePage = () =>
  png({
    above: 'semana',
    title: 'Compre hoje. Pague\u00a0por\u00a0semana.',
    below: 'Crédito semanal por PIX, custo total à vista',
  });

export const merchantImage: MakePage = async ({ reader, params }) => {
  const merchant = await reader.read('getMerchant', { path: { slug: params.slug! } });
  const { name, category, cashback_percent } = merchant;
  const facts = [placeOf(merchant), cashback_percent > 0 ? `${percent(cashback_percent)} de cashback` : ''];
  return png({
    above: `semana · ${category.name}`,
    title: name,
    below: facts.filter(Boolean).join(' · ') || 'Pague por semana, com PIX',
  });
};

export const postImage: MakePage = async ({ reader, params }) => {
  const { title, author, published_at } = await reader.read('getPost', { path: { slug: params.slug! } });
  return png({ above: 'semana · blog', title, below: `${author} · ${longDate(published_at)}` });
};

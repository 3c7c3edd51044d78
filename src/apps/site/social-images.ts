import { drawSocialImage } from '../server/og-image.ts';
import { formatLongDate, formatPercent } from '../text/format.ts';
import { formatLocation } from '../ui/components.tsx';
import type { SitePageHandler } from './visit.ts';

// The pictures of pages that social networks show in previews.

const createImagePage = async (content: Parameters<typeof drawSocialImage>[0]) => ({
  type: 'image/png',
  body: await drawSocialImage(content),
});

export const siteImage: SitePageHandler = () =>
  createImagePage({
    header: 'semana',
    title: 'Compre hoje. Pague\u00a0por\u00a0semana.',
    footer: 'Crédito semanal por PIX, custo total à vista',
  });

export const merchantImage: SitePageHandler = async ({ reader, params }) => {
  const merchant = await reader.read('getMerchant', { path: { slug: params.slug! } });
  const { name, category, cashback_percent } = merchant;
  const facts = [
    formatLocation(merchant),
    cashback_percent > 0 ? `${formatPercent(cashback_percent)} de cashback` : '',
  ];
  return createImagePage({
    header: `semana · ${category.name}`,
    title: name,
    footer: facts.filter(Boolean).join(' · ') || 'Pague por semana, com PIX',
  });
};

export const postImage: SitePageHandler = async ({ reader, params }) => {
  const { title, author, published_at } = await reader.read('getPost', { path: { slug: params.slug! } });
  return createImagePage({
    header: 'semana · blog',
    title,
    footer: `${author} · ${formatLongDate(published_at)}`,
  });
};

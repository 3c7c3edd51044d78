import { privacyPage, termsPage } from './agreement.tsx';
import { blogPage, postPage } from './blog.tsx';
import { feedPage, robotsPage, sitemapPage } from './feeds.ts';
import { homePage } from './home.tsx';
import { merchantImage, postImage, siteImage } from './images.ts';
import { leadPage } from './lead.tsx';
import { merchantPage, merchantsPage } from './merchants.tsx';
import { invitationPage, thanksPage } from './notices.tsx';
import { questionsPage } from './questions.tsx';
import type { MakePage } from './visit.ts';
import { widgetPage } from './widget-page.tsx';

/** The pages that are the same for everybody. */
export const ROUTES: Readonly<Record<string, MakePage>> = {
  '/': homePage,
  '/lojas': merchantsPage,
  '/lojas/:slug': merchantPage,
  '/perguntas': questionsPage,
  '/blog': blogPage,
  '/blog/:slug': postPage,
  '/blog/feed.xml': feedPage,
  '/seja-parceiro': async ({ siteUrl }) => leadPage('seja-parceiro', siteUrl),
  '/seja-parceiro/obrigado': async ({ siteUrl }) => thanksPage(siteUrl, '/seja-parceiro/obrigado'),
  '/contato': async ({ siteUrl }) => leadPage('contato', siteUrl),
  '/contato/obrigado': async ({ siteUrl }) => thanksPage(siteUrl, '/contato/obrigado'),
  '/convite/:code': invitationPage,
  '/termos': termsPage,
  '/privacidade': privacyPage,
  '/widget': widgetPage,
  '/sitemap.xml': sitemapPage,
  '/robots.txt': async ({ siteUrl }) => robotsPage(siteUrl),
  '/og/site.png': siteImage,
  '/og/lojas/:slug.png': merchantImage,
  '/og/blog/:slug.png': postImage,
};

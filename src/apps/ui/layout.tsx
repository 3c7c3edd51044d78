import type { ComponentChildren } from 'preact';
import { assets } from '../server/assets.ts';
import { LinkItems } from './components.tsx';
import { CreditorLine } from './costs.tsx';
import { Brand, BrandMark } from './icons.tsx';
import { ThemeHead, ThemeSwitch } from './theme.tsx';

export type PageMetadata = {
  title: string;
  description: string;
  /** The canonical path, without filters. */
  path: string;
  siteUrl: string;
  image?: string;
  kind?: 'website' | 'article';
  noindex?: boolean;
  /** schema.org data, without `@context`. */
  structuredData?: object;
};

const HEADER_LINKS = [
  { href: '/lojas', text: 'Lojas' },
  { href: '/perguntas', text: 'Perguntas' },
  { href: '/blog', text: 'Blog' },
  { href: '/seja-parceiro', text: 'Para lojistas' },
];

export function Layout({ head, children }: { head: PageMetadata; children: ComponentChildren }) {
  const { title, description, path, siteUrl, image = '/og/site.png', kind = 'website' } = head;
  const fullTitle = path === '/' ? title : `${title} · Semana`;
  const url = siteUrl + path;
  return (
    <html lang="pt-BR">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{fullTitle}</title>
        <meta name="description" content={description} />
        {head.noindex ? <meta name="robots" content="noindex" /> : <link rel="canonical" href={url} />}
        <meta property="og:site_name" content="Semana" />
        <meta property="og:locale" content="pt_BR" />
        <meta property="og:type" content={kind} />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        <meta property="og:url" content={url} />
        <meta property="og:image" content={siteUrl + image} />
        <meta property="og:image:width" content="1200" />
        <meta property="og:image:height" content="630" />
        <meta name="twitter:card" content="summary_large_image" />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="alternate" href="/blog/feed.xml" type="application/atom+xml" title="Blog da Semana" />
        <link rel="preload" href={assets.font} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="stylesheet" href={assets.siteCss} />
        <ThemeHead />
        <script type="module" src={assets.siteJs} />
        {head.structuredData && <JsonLd data={head.structuredData} />}
      </head>
      <body>
        <a class="skip" href="#conteudo">
          Ir para o conteúdo
        </a>
        <Header path={path} />
        <main id="conteudo" tabIndex={-1}>
          {children}
        </main>
        <Footer />
      </body>
    </html>
  );
}

/** Structured data for search engines. `<` is escaped, so that no text can close the script element. */
function JsonLd({ data }: { data: object }) {
  const text = JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c');
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: text }} />;
}

function Header({ path }: { path: string }) {
  const links = <LinkItems links={HEADER_LINKS} isCurrent={(href) => path.startsWith(href)} />;
  return (
    <header class="top">
      <div class="wrap top-row">
        <Brand href="/" label="Semana, página inicial" />
        <nav class="top-links" aria-label="Principal">
          <ul>{links}</ul>
        </nav>
        <a class="button small quiet" href="/carteira">
          Entrar
        </a>
        <a class="button small join" href="/carteira/cadastro">
          Criar conta
        </a>
        <details class="menu">
          <summary>Menu</summary>
          <nav aria-label="Menu">
            <ul>{links}</ul>
          </nav>
        </details>
      </div>
    </header>
  );
}

const FOOTER_COLUMNS = [
  {
    title: 'Comprar',
    links: [
      { href: '/lojas', text: 'Lojas parceiras' },
      { href: '/#como-funciona', text: 'Como funciona' },
      { href: '/#custos', text: 'Quanto custa' },
      { href: '/carteira', text: 'Minha carteira' },
    ],
  },
  {
    title: 'Saber mais',
    links: [
      { href: '/perguntas', text: 'Perguntas frequentes' },
      { href: '/blog', text: 'Blog' },
      { href: '/blog/feed.xml', text: 'Feed do blog' },
      { href: '/termos', text: 'Termos de uso' },
      { href: '/privacidade', text: 'Privacidade' },
    ],
  },
  {
    title: 'Falar com a gente',
    links: [
      { href: '/contato', text: 'Contato' },
      { href: '/seja-parceiro', text: 'Seja parceiro' },
      { href: '/widget', text: 'Para lojas virtuais' },
    ],
  },
];

function Footer() {
  return (
    <footer class="bottom">
      <div class="wrap">
        <div class="bottom-columns">
          <div>
            <p class="brand">
              <BrandMark />
              <span>semana</span>
            </p>
            <p class="muted">
              Crédito semanal para comprar perto de casa e pagar no ritmo em que você recebe.
            </p>
          </div>
          {FOOTER_COLUMNS.map(({ title, links }) => (
            <nav key={title} aria-label={title}>
              <h2>{title}</h2>
              <ul>
                <LinkItems links={links} />
              </ul>
            </nav>
          ))}
        </div>
        <ThemeSwitch />
        <p class="fine">
          O crédito depende de análise e de limite disponível. Em caso de atraso: multa de 2%, uma vez por
          vencimento, e juros simples de 1% ao mês. O custo efetivo total (CET) de cada compra aparece antes
          da confirmação.
        </p>
        <CreditorLine />
      </div>
    </footer>
  );
}

import type { ComponentChildren } from 'preact';
import { PageHead } from '../ui/components.tsx';
import { CreditorLine } from '../ui/costs.tsx';
import { Layout } from '../ui/layout.tsx';
import type { SitePageHandler } from './visit.ts';

type Agreement = {
  kind: 'terms' | 'privacy';
  path: string;
  title: string;
  lead: string;
  description: string;
};

const createAgreementPage =
  ({ kind, path, title, lead, description }: Agreement, extraSection?: ComponentChildren): SitePageHandler =>
  async ({ reader, siteUrl }) => {
    const { version, sections } = await reader.read('getAgreement', { path: { kind } });
    return (
      <Layout head={{ title, description, path, siteUrl }}>
        <article class="wrap article">
          <PageHead title={title} lead={lead} />
          <p class="muted">Versão {version}</p>
          <div class="prose">
            {sections.map((section) => (
              <section key={section.title}>
                <h2>{section.title}</h2>
                {section.text.split(/\n\s*\n/).map((paragraph) => (
                  <p key={paragraph}>{paragraph}</p>
                ))}
              </section>
            ))}
            {extraSection}
          </div>
        </article>
      </Layout>
    );
  };

export const termsPage = createAgreementPage({
  kind: 'terms',
  path: '/termos',
  title: 'Termos de uso',
  lead: 'Curtos, para ler até o fim.',
  description: 'Os termos de uso da Semana, em linguagem simples: compras, atraso, cashback, dados.',
});

export const privacyPage = createAgreementPage(
  {
    kind: 'privacy',
    path: '/privacidade',
    title: 'Privacidade',
    lead: 'O que guardamos sobre você, e o que você pode fazer.',
    description: 'O que a Semana guarda sobre você, para quê, por quanto tempo, e os seus direitos.',
  },
  <section>
    <h2>Com quem falar</h2>
    <p>
      Peça pelo <a href="/contato">contato</a> ou por e-mail, a quem responde pelos dados:
    </p>
    <CreditorLine />
  </section>,
);

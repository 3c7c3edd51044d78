import { Layout } from '../ui/layout.tsx';
import { Line, PageHead } from '../ui/parts.tsx';
import type { MakePage } from './visit.ts';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'semana-parcelas': { merchant: string; amount: string; installments: string; id?: string };
    }
  }
}

const ATTRIBUTES = [
  { name: 'merchant', text: 'O identificador da loja: o fim do endereço da página dela aqui no site.' },
  { name: 'amount', text: 'O valor em reais: 129.90. Quando ele muda, as parcelas mudam junto.' },
  { name: 'installments', text: 'Em quantas semanas. Se não for informado, quatro.' },
];

/** For shops' developers, with a live example of one merchant. */
export const widgetPage: MakePage = async ({ reader, siteUrl }) => {
  const { data } = await reader.read('listMerchants', { query: { page: 1, limit: 1 } });
  const slug = data[0]?.slug ?? 'sua-loja';
  const snippet = `<script src="${siteUrl}/widget.js" async></script>

<semana-parcelas merchant="${slug}" amount="129.90" installments="4"></semana-parcelas>`;
  return (
    <Layout
      head={{
        title: 'Parcelas semanais na página do produto',
        description:
          'Mostre na sua loja virtual quanto o produto custa por semana, com total, CET e credor, com duas linhas de HTML.',
        path: '/widget',
        siteUrl,
      }}
    >
      <article class="wrap article">
        <PageHead
          title="Parcelas na página do produto"
          lead="Duas linhas de HTML mostram quanto o produto custa por semana, com total, CET e credor."
        />
        <div class="prose">
          <h2>Veja como fica</h2>
          <div class="panel">
            <div class="field">
              <label for="valor">Valor do produto, em reais</label>
              <input id="valor" inputMode="decimal" value="129,90" maxLength={12} />
            </div>
            <semana-parcelas id="exemplo" merchant={slug} amount="129.90" installments="4" />
          </div>
          <h2>Como usar</h2>
          <pre>
            <code>{snippet}</code>
          </pre>
          <dl>
            {ATTRIBUTES.map(({ name, text }) => (
              <Line key={name} name={<code>{name}</code>} value={text} />
            ))}
          </dl>
          <p>
            Para que nada se mova enquanto a página carrega, reserve o espaço no seu CSS:{' '}
            <code>{'semana-parcelas { display: block; min-height: 4.4em; font-size: .875rem }'}</code>
          </p>
          <p>
            Se a sua loja tem uma política de segurança (CSP), inclua {siteUrl} em <code>script-src</code> e{' '}
            <code>connect-src</code>. O script tem menos de 5 KB, não usa cookies nem fontes e faz um único
            pedido por valor. Se a Semana não responder, ele não mostra nada.
          </p>
        </div>
      </article>
      <script src="/widget.js" async />
    </Layout>
  );
};

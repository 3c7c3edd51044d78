import { TERMS } from '../ui/agreement.ts';
import { Layout } from '../ui/layout.tsx';
import { PageHead } from '../ui/parts.tsx';
import type { MakePage } from './visit.ts';

const PARTS = [
  {
    title: 'O que é a Semana',
    text: 'A Semana organiza compras a prazo entre você e lojas parceiras. Quem vende é a loja. De quem é o crédito, com CNPJ e endereço, está no fim de cada página e em cada oferta. A Semana faz a análise, mostra o custo, recebe as parcelas por PIX e cuida do cashback.',
  },
  {
    title: 'Quem pode ter conta',
    text: 'Pessoas com 18 anos ou mais, com CPF e celular próprios. A conta é sua e não pode ser emprestada. Não passe a senha nem os códigos a ninguém: a equipe da Semana nunca os pede.',
  },
  {
    title: 'Compras',
    text: 'Nenhuma compra é feita sem o seu aceite. Antes dele, você vê o valor, cada parcela com a sua data, o custo do crédito e o custo efetivo total (CET). O que foi combinado não muda depois.',
  },
  {
    title: 'Atraso',
    text: 'Depois do vencimento há multa de até 2%, uma vez por vencimento, e juros simples de até 1% ao mês, contados por dia. Vencimento em dia não útil passa para o próximo dia útil.',
  },
  {
    title: 'Antecipar, prorrogar, devolver',
    text: 'Quando a compra tem taxa, quem paga antes paga menos. Uma parcela pode ser prorrogada pelo preço mostrado na tela. O que é devolvido na loja reduz as parcelas, e o que foi pago a mais é devolvido a você.',
  },
  {
    title: 'Cashback e convites',
    text: 'O cashback vale por 180 dias e serve para pagar parcelas. Ele é cancelado se o pagamento que o gerou for estornado. Convites valem para quem ainda não tem conta.',
  },
  {
    title: 'Seus dados',
    text: 'Usamos nome, CPF, data de nascimento, celular e e-mail para a análise de crédito, para entrar na conta e para falar com você, como manda a LGPD. A loja não vê o seu CPF nem as suas outras compras. Você pode pedir uma cópia ou a exclusão dos seus dados pelo contato; a página Privacidade conta o resto.',
  },
  {
    title: 'Encerramento da conta',
    text: 'Se não houver nada a pagar, você pode encerrar a conta quando quiser. Podemos bloquear uma conta usada por outra pessoa ou em fraude, e informamos o motivo.',
  },
];

export const termsPage: MakePage = async ({ siteUrl }) => ({
  body: (
    <Layout
      head={{
        title: 'Termos de uso',
        description: 'Os termos de uso da Semana, em linguagem simples: compras, atraso, cashback, dados.',
        path: '/termos',
        siteUrl,
      }}
    >
      <article class="wrap article">
        <PageHead title="Termos de uso" lead="Curtos, para ler até o fim." />
        <p class="muted">Versão {TERMS}</p>
        <div class="prose">
          {PARTS.map(({ title, text }) => (
            <section key={title}>
              <h2>{title}</h2>
              <p>{text}</p>
            </section>
          ))}
        </div>
      </article>
    </Layout>
  ),
});

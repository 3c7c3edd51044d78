import { CreditorLine } from '../ui/creditor.tsx';
import { Layout } from '../ui/layout.tsx';
import { PageHead } from '../ui/parts.tsx';
import type { MakePage } from './visit.ts';

/** Must match what the service does: see docs/operating.md on personal data. */
const PARTS = [
  {
    title: 'O que guardamos',
    text: 'Nome, CPF, data de nascimento, celular e e-mail; a senha só como um código que não pode ser revertido; as suas compras, parcelas, pagamentos, cashback e convites; as mensagens que enviamos e as sessões abertas na sua conta. CPF e dados de contato ficam cifrados.',
  },
  {
    title: 'Para quê',
    text: 'Para fazer e cumprir o contrato de crédito, para você entrar na conta, para falar com você e para proteger a conta contra fraude (LGPD, art. 7º, incisos V, IX e X). Não vendemos dados e não usamos cookies de propaganda: os que existem servem para manter você na conta, lembrar o tema escolhido e notar cadastros em série no mesmo aparelho. O que você digita em um cadastro fica só na aba do seu navegador, por até 30 minutos, até a conta ser criada.',
  },
  {
    title: 'Quem mais vê',
    text: 'A loja não vê o seu CPF nem as suas outras compras. O banco que recebe o PIX e a empresa que entrega os SMS recebem o necessário para isso.',
  },
  {
    title: 'Por quanto tempo',
    text: 'Códigos de acesso são apagados um dia depois de vencerem; sessões encerradas, depois de 30 dias; o registro das mensagens enviadas e as ofertas que não viraram compra, depois de 90 dias. O cadastro fica enquanto você tiver conta. Quando ele é apagado, compras, pagamentos e a contabilidade ficam, sem dizer de quem eram.',
  },
  {
    title: 'Os seus direitos',
    text: 'Você pode saber o que guardamos, receber uma cópia, corrigir o que está errado, pedir que seja apagado, perguntar com quem foi compartilhado e reclamar à Autoridade Nacional de Proteção de Dados (LGPD, art. 18). Só não apagamos enquanto houver valores em aberto, de um lado ou do outro.',
  },
];

export const privacyPage: MakePage = async ({ siteUrl }) => ({
  body: (
    <Layout
      head={{
        title: 'Privacidade',
        description: 'O que a Semana guarda sobre você, para quê, por quanto tempo, e os seus direitos.',
        path: '/privacidade',
        siteUrl,
      }}
    >
      <article class="wrap article">
        <PageHead title="Privacidade" lead="O que guardamos sobre você, e o que você pode fazer." />
        <div class="prose">
          {PARTS.map(({ title, text }) => (
            <section key={title}>
              <h2>{title}</h2>
              <p>{text}</p>
            </section>
          ))}
          <section>
            <h2>Com quem falar</h2>
            <p>
              Peça pelo <a href="/contato">contato</a> ou por e-mail, a quem responde pelos dados:
            </p>
            <CreditorLine />
          </section>
        </div>
      </article>
    </Layout>
  ),
});

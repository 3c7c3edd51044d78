import type { Form, MakePersonalPage } from '../server/visit.ts';
import { Submit } from '../ui/buttons.tsx';
import { inReais, shortTime } from '../ui/format.ts';
import { PageHead } from '../ui/parts.tsx';
import { PostForm, Said } from '../ui/personal-parts.tsx';
import { WalletLayout } from './layout.tsx';

const LIMIT_PATH = '/carteira/limite';

/** The limit, why it is what it is, what raises it, and the way to a person. */
export const creditPage: MakePersonalPage = async (visit) => {
  const { limit, used, available, offered, reasons, next_step, review } = await visit.api.getCredit();
  return {
    body: (
      <WalletLayout title="Limite" visit={visit} tab="inicio">
        <div class="wrap">
          <PageHead title="Seu limite" lead="Quanto você pode comprar para pagar por semana, e por quê." />
          <Said flash={visit.flash} />
          <div class="columns">
            <div class="rows">
              <section class="panel deep-panel" aria-label="Limite">
                <p class="glance-name">Disponível agora</p>
                <p class="glance-figure">{inReais(available)}</p>
                <progress max={Math.max(limit, 1)} value={Math.min(used, limit)} aria-label="Limite usado" />
                <p class="glance-foot">
                  {inReais(used)} em uso de {inReais(limit)}
                </p>
              </section>
              {offered !== null && (
                <section class="panel" aria-labelledby="oferta">
                  <h2 class="panel-title" id="oferta">
                    Seu limite pode ser de {inReais(offered)}
                  </h2>
                  <p>Ele só muda se você quiser. Você continua pagando apenas pelo que comprar.</p>
                  <PostForm visit={visit} action={`${LIMIT_PATH}/aceitar`}>
                    <Submit wide>Sim, quero {inReais(offered)}</Submit>
                  </PostForm>
                </section>
              )}
            </div>
            <div class="rows">
              <section class="panel" aria-labelledby="porque">
                <h2 class="panel-title" id="porque">
                  Por que este valor
                </h2>
                {reasons.length > 0 ? (
                  <ul>
                    {reasons.map((reason) => (
                      <li key={reason}>{reason}</li>
                    ))}
                  </ul>
                ) : (
                  <p>Este é o limite combinado com você.</p>
                )}
              </section>
              <section class="panel" aria-labelledby="agora">
                <h2 class="panel-title" id="agora">
                  O que fazer agora
                </h2>
                <p>{next_step}</p>
                <p class="hint">
                  Compras pagas até o fim e em dia aumentam o limite. Com parcela atrasada, ele cai para o que
                  está em uso.
                </p>
              </section>
              <section class="panel" aria-labelledby="pessoa">
                <h2 class="panel-title" id="pessoa">
                  Falar com uma pessoa
                </h2>
                {review === null ? (
                  <>
                    <p>
                      A decisão é automática. Se você não concorda, uma pessoa analisa e responde por mensagem
                      (LGPD, art. 20).
                    </p>
                    <PostForm visit={visit} action={`${LIMIT_PATH}/analise`}>
                      <button class="button quiet wide" type="submit">
                        Pedir a análise de uma pessoa
                      </button>
                    </PostForm>
                  </>
                ) : (
                  <p>Uma pessoa está analisando desde {shortTime(review)}. A resposta chega por mensagem.</p>
                )}
              </section>
            </div>
          </div>
        </div>
      </WalletLayout>
    ),
  };
};

const acceptLimit: Form = {
  page: LIMIT_PATH,
  isPrivate: true,
  async act({ api }) {
    const { limit } = await api.acceptCreditLimit();
    return {
      to: LIMIT_PATH,
      flash: { page: LIMIT_PATH, note: `Pronto: o seu limite agora é de ${inReais(limit)}.` },
    };
  },
};

const askPerson: Form = {
  page: LIMIT_PATH,
  isPrivate: true,
  async act({ api }) {
    await api.askCreditReview();
    return {
      to: LIMIT_PATH,
      flash: { page: LIMIT_PATH, note: 'Pedido recebido. A resposta chega por mensagem.' },
    };
  },
};

export const CREDIT_FORMS: Record<string, Form> = {
  [`${LIMIT_PATH}/aceitar`]: acceptLimit,
  [`${LIMIT_PATH}/analise`]: askPerson,
};

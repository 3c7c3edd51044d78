import { privateForm, redirectWithNote } from '../server/form.ts';
import type { FormHandler, PersonalPageHandler } from '../server/visit.ts';
import { inReais, shortTime } from '../text/format.ts';
import { Panel } from '../ui/components.tsx';
import { PurchasesPaused } from '../ui/offer-components.tsx';
import { ButtonForm, PostForm } from '../ui/personal-components.tsx';
import { WalletPage } from './layout.tsx';

const LIMIT_PATH = '/carteira/limite';

export const creditPage: PersonalPageHandler = async (visit) => {
  const { limit, used, available, blocked_by, offered, reasons, next_step, review } =
    await visit.api.getCredit();
  return (
    <WalletPage
      title="Limite"
      tab="inicio"
      heading="Seu limite"
      lead="Quanto você pode comprar para pagar por semana, e por quê."
    >
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
          {blocked_by !== null && (
            <section class="panel" aria-label="Compras">
              <PurchasesPaused blockedBy={blocked_by} />
            </section>
          )}
          {offered !== null && (
            <Panel id="oferta" title={`Seu limite pode ser de ${inReais(offered)}`}>
              <p>Ele só muda se você quiser. Você continua pagando apenas pelo que comprar.</p>
              <ButtonForm action={`${LIMIT_PATH}/aceitar`} text={`Sim, quero ${inReais(offered)}`} wide />
            </Panel>
          )}
        </div>
        <div class="rows">
          <Panel id="porque" title="Por que este valor">
            {reasons.length > 0 ? (
              <ul>
                {reasons.map((reason) => (
                  <li key={reason}>{reason}</li>
                ))}
              </ul>
            ) : (
              <p>Este é o limite combinado com você.</p>
            )}
          </Panel>
          <Panel id="agora" title="O que fazer agora">
            <p>{next_step}</p>
            <p class="hint">
              Compras pagas até o fim e em dia aumentam o limite. Com parcela atrasada, ele cai para o que
              está em uso, e volta quando nada mais está em atraso.
            </p>
          </Panel>
          <Panel id="pessoa" title="Falar com uma pessoa">
            {review === null ? (
              <>
                <p>
                  A decisão é automática. Se você não concorda, uma pessoa analisa e responde por mensagem
                  (LGPD, art. 20).
                </p>
                <PostForm action={`${LIMIT_PATH}/analise`}>
                  <button class="button quiet wide" type="submit">
                    Pedir a análise de uma pessoa
                  </button>
                </PostForm>
              </>
            ) : (
              <p>Uma pessoa está analisando desde {shortTime(review)}. A resposta chega por mensagem.</p>
            )}
          </Panel>
        </div>
      </div>
    </WalletPage>
  );
};

export const CREDIT_FORMS: Record<string, FormHandler> = {
  [`${LIMIT_PATH}/aceitar`]: privateForm(LIMIT_PATH, async ({ api }) => {
    const { limit } = await api.acceptCreditLimit();
    return redirectWithNote(LIMIT_PATH, `Pronto: o seu limite agora é de ${inReais(limit)}.`);
  }),
  [`${LIMIT_PATH}/analise`]: privateForm(LIMIT_PATH, async ({ api }) => {
    await api.askCreditReview();
    return redirectWithNote(LIMIT_PATH, 'Pedido recebido. A resposta chega por mensagem.');
  }),
};

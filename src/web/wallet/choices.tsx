import type { ComponentChildren } from 'preact';
import type { PersonalVisit } from '../server/visit.ts';
import { inReais, plainReais, shortDay } from '../text/format.ts';
import { Submit } from '../ui/buttons.tsx';
import { MoneyField } from '../ui/field.tsx';
import { Bolt, Calendar, Coin, Heart } from '../ui/icons.tsx';
import { fieldsOf, PostForm } from '../ui/personal-parts.tsx';
import { type Checkout, type Installment, settling } from './parts.tsx';

type Option = Installment['pix_options'][number];

const optionOf = <T extends Option['type']>({ pix_options }: Installment, type: T) =>
  pix_options.find((option) => option.type === type) as Extract<Option, { type: T }> | undefined;

/** All payment options with their amounts and effects: one open, the others folded. */
export function Choices(props: {
  visit: PersonalVisit;
  checkout: Checkout;
  installment: Installment;
  available: number;
}) {
  const { visit, checkout, installment, available } = props;
  const { flash } = visit;
  const { hash, terms } = checkout;
  const { number, total_due, outstanding, extensions, penalty } = installment;
  const base = `/carteira/compras/${hash}/${number}`;
  const field = fieldsOf(flash);
  const all = settling(installment);
  const part = optionOf(installment, 'settle_partial');
  const extend = optionOf(installment, 'extend');
  const usable = Math.min(available, all?.value ?? total_due);
  const left = terms.extension_limit - extensions;
  return (
    <>
      {all && (
        <PostForm visit={visit} action={`${base}/pix`} class="choice first">
          <Bolt />
          <div>
            <h3>Pagar tudo</h3>
            <p>
              {all.value < total_due
                ? `Pagando antes do vencimento, você paga ${inReais(all.value)} em vez de ${inReais(total_due)}.`
                : 'A parcela fica paga assim que o PIX é confirmado.'}
            </p>
            <input type="hidden" name="type" value={all.type} />
            <input type="hidden" name="shown" value={all.value} />
            <Submit wide>Pagar {inReais(all.value)} com PIX</Submit>
          </div>
        </PostForm>
      )}
      {part && part.max > part.min && (
        <Fold
          icon={<Heart />}
          title="Pagar uma parte"
          price={`a partir de ${inReais(part.min)}`}
          isOpen={flash?.values?.type === 'settle_partial'}
        >
          <PostForm visit={visit} action={`${base}/pix`}>
            <p>
              De {inReais(part.min)} a {inReais(part.max)}.{' '}
              {penalty.total > 0
                ? 'Primeiro são quitados os juros e a multa, depois a parcela.'
                : 'O restante continua com o mesmo vencimento.'}
            </p>
            <input type="hidden" name="type" value="settle_partial" />
            <MoneyField {...field('value')} label="Quanto pagar agora (R$)" maxLength={12} />
            <Submit quiet wide>
              Gerar PIX desta parte
            </Submit>
          </PostForm>
        </Fold>
      )}
      {extend && (
        <Fold
          icon={<Calendar />}
          title={`Prorrogar por ${terms.extension_days} dias`}
          price={`por ${inReais(extend.value)}`}
          isOpen={flash?.values?.type === 'extend'}
        >
          <PostForm visit={visit} action={`${base}/pix`}>
            <p>
              Custa {inReais(extend.value)}
              {penalty.total > 0 && ', com a multa e os juros até hoje incluídos'}. O novo vencimento é{' '}
              <b>{shortDay(extend.due_on)}</b>, e a parcela continua em {inReais(outstanding)}.
            </p>
            <input type="hidden" name="type" value="extend" />
            <input type="hidden" name="shown" value={extend.value} />
            <Submit quiet wide>
              Prorrogar por {inReais(extend.value)}
            </Submit>
            <p class="hint">Você pode prorrogar {left === 1 ? 'mais uma vez' : `mais ${left} vezes`}.</p>
          </PostForm>
        </Fold>
      )}
      {usable > 0 && (
        <Fold
          icon={<Coin />}
          title="Usar cashback"
          price={`você tem ${inReais(available)}`}
          isOpen={flash?.values?.cashback !== undefined}
        >
          <PostForm visit={visit} action={`${base}/cashback`}>
            <p>O cashback abate a parcela na hora, sem PIX. Antes de usar, você confirma o valor.</p>
            <MoneyField
              {...field('cashback')}
              value={field('cashback').value ?? plainReais(usable)}
              label="Quanto usar (R$)"
              maxLength={12}
            />
            <Submit quiet wide>
              Usar cashback
            </Submit>
          </PostForm>
        </Fold>
      )}
    </>
  );
}

/** A further payment option, folded unless it has an error. */
const Fold = (props: {
  icon: ComponentChildren;
  title: string;
  price: string;
  isOpen: boolean;
  children: ComponentChildren;
}) => (
  <details class="choice fold" open={props.isOpen}>
    <summary>
      {props.icon}
      <span>
        <b>{props.title}</b> <small>{props.price}</small>
      </span>
    </summary>
    {props.children}
  </details>
);

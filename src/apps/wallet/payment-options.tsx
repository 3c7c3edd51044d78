import { useVisit } from '../server/visit.ts';
import { formatReaisInput, inReais, shortDay } from '../text/format.ts';
import { Submit } from '../ui/buttons.tsx';
import { Fold } from '../ui/components.tsx';
import { MoneyField } from '../ui/field.tsx';
import { Bolt, Calendar, Coin, Heart } from '../ui/icons.tsx';
import { PostForm } from '../ui/personal-components.tsx';
import { type Checkout, findSettleOption, type Installment } from './installment-timeline.tsx';

type PixOption = Installment['pix_options'][number];

const findOption = <T extends PixOption['type']>({ pix_options }: Installment, type: T) =>
  pix_options.find((option) => option.type === type) as Extract<PixOption, { type: T }> | undefined;

/** The payment options of an installment with their amounts and effects. The first is open, the others are folded. */
export function PaymentOptions(props: {
  checkout: Checkout;
  installment: Installment;
  availableCashback: number;
}) {
  const { checkout, installment, availableCashback } = props;
  const { flash } = useVisit();
  const { hash, terms } = checkout;
  const { number, total_due, outstanding, extensions, penalty } = installment;
  const basePath = `/carteira/compras/${hash}/${number}`;
  const settleOption = findSettleOption(installment);
  const partialOption = findOption(installment, 'settle_partial');
  const extendOption = findOption(installment, 'extend');
  const usableCashback = Math.min(availableCashback, settleOption?.value ?? total_due);
  const extensionsLeft = terms.extension_limit - extensions;
  return (
    <>
      {settleOption && (
        <PostForm action={`${basePath}/pix`} class="choice first">
          <Bolt />
          <div>
            <h3>Pagar tudo</h3>
            <p>
              {settleOption.value < total_due
                ? `Pagando antes do vencimento, você paga ${inReais(settleOption.value)} em vez de ${inReais(total_due)}.`
                : 'A parcela fica paga assim que o PIX é confirmado.'}
            </p>
            <input type="hidden" name="type" value={settleOption.type} />
            <input type="hidden" name="shown" value={settleOption.value} />
            <Submit wide>Pagar {inReais(settleOption.value)} com PIX</Submit>
          </div>
        </PostForm>
      )}
      {partialOption && partialOption.max > partialOption.min && (
        <Fold
          icon={<Heart />}
          title="Pagar uma parte"
          note={`a partir de ${inReais(partialOption.min)}`}
          isOpen={flash?.values?.type === 'settle_partial'}
        >
          <PostForm action={`${basePath}/pix`}>
            <p>
              De {inReais(partialOption.min)} a {inReais(partialOption.max)}.{' '}
              {penalty.total > 0
                ? 'Primeiro são quitados os juros e a multa, depois a parcela.'
                : 'O restante continua com o mesmo vencimento.'}
            </p>
            <input type="hidden" name="type" value="settle_partial" />
            <MoneyField name="value" label="Quanto pagar agora (R$)" maxLength={12} />
            <Submit quiet wide>
              Gerar PIX desta parte
            </Submit>
          </PostForm>
        </Fold>
      )}
      {extendOption && (
        <Fold
          icon={<Calendar />}
          title={`Prorrogar por ${terms.extension_days} dias`}
          note={`por ${inReais(extendOption.value)}`}
          isOpen={flash?.values?.type === 'extend'}
        >
          <PostForm action={`${basePath}/pix`}>
            <p>
              Custa {inReais(extendOption.value)}
              {penalty.total > 0 && ', com a multa e os juros até hoje incluídos'}. O novo vencimento é{' '}
              <b>{shortDay(extendOption.due_on)}</b>, e a parcela continua em {inReais(outstanding)}.
            </p>
            <input type="hidden" name="type" value="extend" />
            <input type="hidden" name="shown" value={extendOption.value} />
            <Submit quiet wide>
              Prorrogar por {inReais(extendOption.value)}
            </Submit>
            <p class="hint">
              Você pode prorrogar {extensionsLeft === 1 ? 'mais uma vez' : `mais ${extensionsLeft} vezes`}.
            </p>
          </PostForm>
        </Fold>
      )}
      {usableCashback > 0 && (
        <Fold
          icon={<Coin />}
          title="Usar cashback"
          note={`você tem ${inReais(availableCashback)}`}
          isOpen={flash?.values?.cashback !== undefined}
        >
          <PostForm action={`${basePath}/cashback`}>
            <p>O cashback abate a parcela na hora, sem PIX. Antes de usar, você confirma o valor.</p>
            <MoneyField
              name="cashback"
              value={formatReaisInput(usableCashback)}
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

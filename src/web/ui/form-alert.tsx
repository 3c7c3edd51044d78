/** Above a form: the error of the form, or that fields are marked. It gets the focus if no field does. */
export const FormAlert = ({ faults }: { faults: Record<string, string> }) => {
  const isAlone = Object.keys(faults).every((name) => name === 'form');
  return (
    <p class="alert" role="alert" tabIndex={-1} {...(isAlone && { autofocus: true })}>
      {faults.form ?? 'Confira o campo marcado abaixo.'}
    </p>
  );
};

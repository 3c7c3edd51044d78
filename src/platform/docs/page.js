// Without this script all examples can still be read and selected.
for (const button of document.querySelectorAll('.copy')) {
  button.hidden = false;
  const label = button.textContent;
  const showDone = () => {
    button.textContent = button.dataset.done;
    setTimeout(() => {
      button.textContent = label;
    }, 2_000);
  };
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(button.previousElementSibling.textContent).then(showDone);
  });
}

// The language chosen for one example is chosen for all of them, also on the next page.
const choices = [...document.querySelectorAll('.examples input')];
const choose = (language) => {
  for (const choice of choices) if (choice.value === language) choice.checked = true;
};
choose(localStorage.getItem('example-language'));
for (const choice of choices)
  choice.addEventListener('change', () => {
    localStorage.setItem('example-language', choice.value);
    choose(choice.value);
  });

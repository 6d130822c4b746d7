// Shared by the other files: finding and making elements, and the data of the page.
page.all = (selector, root = document) => [...root.querySelectorAll(selector)];
page.made = (name, className = "", text = "") => {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
};
const given = document.getElementById("data");
page.data = given ? JSON.parse(given.textContent) : null;
page.claims = page.all("article[data-for]");

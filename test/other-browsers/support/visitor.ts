import type { Window } from './browser.js';

/** A person in a window, who finds what pages show by its text. */
export class Visitor {
  constructor(
    private readonly window: Window,
    private readonly url: string,
  ) {}

  async visit(pathOrUrl: string): Promise<void> {
    await this.window.goto(pathOrUrl.startsWith('http') ? pathOrUrl : this.url + pathOrUrl);
  }

  async fill(fields: Record<string, string>): Promise<void> {
    for (const [label, text] of Object.entries(fields))
      await this.window.locator(`//*[@id=//label[normalize-space()="${label}"]/@for]`).fill(text);
  }

  /** Chooses one of several options. */
  async choose(option: string): Promise<void> {
    await this.window.locator(`//label[input and ${hasText(option)}]`).click();
  }

  async chooseFiles(paths: string[]): Promise<void> {
    await this.window.locator('//input[@type="file"]').setInputFiles(paths);
  }

  /** Presses a button, or unfolds a part of the page. */
  async press(name: string): Promise<void> {
    const isNamed = `(@aria-label="${name}" or ${hasText(name)})`;
    await this.window.locator(`//*[(self::button or self::summary) and ${isNamed}]`).click();
  }

  /** @param link what its text begins with */
  async follow(link: string): Promise<void> {
    await this.window.locator(`//a[descendant::text()[starts-with(normalize-space(), "${link}")]]`).click();
  }

  async waitForHeading(text: string): Promise<void> {
    await this.window.locator(`//h1[${hasText(text)}]`).waitFor();
  }

  async waitForText(text: string): Promise<void> {
    await this.window.locator(`//main//*[text()[normalize-space()="${text}"]]`).waitFor();
  }

  /** The value of a field with this id. */
  valueOf(id: string): Promise<string> {
    return this.window.locator(`//*[@id="${id}"]`).inputValue();
  }

  /** The text in a part of the page with this id. */
  textOf(id: string): Promise<string | null> {
    return this.window.locator(`//*[@id="${id}"]`).textContent();
  }
}

const hasText = (text: string) => `descendant::text()[normalize-space()="${text}"]`;

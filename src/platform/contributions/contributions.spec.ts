import { Controller, Injectable, Module, Scope } from '@nestjs/common';
import type { ModuleMetadata } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { byName, contributedMethod, contributedProvider, Contributions } from './contributions.js';
import { ContributionsModule } from './contributions.module.js';

interface Shape {
  corners(): number;
}

const Shape = contributedProvider<Shape, string>();
const Greets = contributedMethod<(name: string) => string, string>();

@Shape('triangle')
class Triangle implements Shape {
  corners = () => 3;
}

class Greeter {
  private readonly greeting = 'Hello';

  @Greets('friendly')
  greet(name: string): string {
    return `${this.greeting} ${name}`;
  }
}

const inModule = async (metadata: ModuleMetadata) => {
  @Module(metadata)
  class Contributing {}
  const module = await Test.createTestingModule({ imports: [ContributionsModule, Contributing] }).compile();
  return module.get(Contributions);
};

describe('Contributions', () => {
  it('are providers with a decorator, in whichever module they are', async () => {
    const [shape, ...others] = (await inModule({ providers: [Triangle, Greeter] })).providers(Shape);

    expect(shape).toEqual({
      contributed: expect.any(Triangle) as Triangle,
      argument: 'triangle',
      place: 'Triangle',
    });
    expect(others).toEqual([]);
  });

  it('are methods with a decorator, which keep their object, also those of controllers', async () => {
    const AsController = class Receptionist extends Greeter {};
    Controller()(AsController);
    const found = (await inModule({ providers: [Greeter], controllers: [AsController] })).methods(Greets);

    expect(
      found.map(({ contributed, targets: _, ...rest }) => ({ ...rest, said: contributed('Ada') })),
    ).toEqual([
      { argument: 'friendly', place: 'Greeter.greet', said: 'Hello Ada' },
      { argument: 'friendly', place: 'Receptionist.greet', said: 'Hello Ada' },
    ]);
  });

  it('are found at the start, also all of a decorator without their arguments', async () => {
    const contributions = await inModule({ providers: [Triangle, Greeter] });
    expect(contributions.all(Shape)).toEqual([]);

    contributions.onModuleInit();
    expect(contributions.all(Shape)).toEqual([expect.any(Triangle)]);
    expect(contributions.all(Greets).map((greet) => greet('Ada'))).toEqual(['Hello Ada']);
  });

  it('are none of classes that no module has', async () => {
    const contributions = await inModule({});

    expect([contributions.providers(Shape), contributions.methods(Greets)]).toEqual([[], []]);
  });

  it('are found once, by however many tokens the same object is provided', async () => {
    const contributions = await inModule({
      providers: [
        ...[Triangle, Greeter].flatMap((provider) => [
          provider,
          { provide: `alias of ${provider.name}`, useExisting: provider },
          { provide: `factory of ${provider.name}`, inject: [provider], useFactory: (made: unknown) => made },
        ]),
      ],
    });

    expect(contributions.providers(Shape)).toHaveLength(1);
    expect(contributions.methods(Greets)).toHaveLength(1);
  });

  it.each([Scope.REQUEST, Scope.TRANSIENT])('cannot be made several times: scope %s', async (scope) => {
    @Injectable({ scope })
    @Shape('square')
    class Square implements Shape {
      corners = () => 4;
    }
    @Injectable({ scope })
    class Concierge extends Greeter {}
    const contributions = await inModule({ providers: [Square, Concierge] });

    expect(() => contributions.providers(Shape)).toThrow('Square contributes to other modules');
    expect(() => contributions.methods(Greets)).toThrow('Concierge contributes to other modules');
    expect(() => {
      contributions.onModuleInit();
    }).toThrow('Square contributes to other modules');
  });

  it('with the same name are refused, with their places', async () => {
    class Butler extends Greeter {}
    const found = (await inModule({ providers: [Greeter, Butler] })).methods(Greets);

    expect(byName(found.slice(1)).get('friendly')?.('Ada')).toBe('Hello Ada');
    expect(() => byName(found)).toThrow(
      'Greeter.greet and Butler.greet have decorators with the same name, friendly.',
    );
  });
});

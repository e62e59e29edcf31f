import { Controller, Get, Module, Query, UsePipes } from '@nestjs/common';
import { IsIn } from 'class-validator';
import { Public } from '../../src/auth/access.decorators.js';
import { validationPipe } from '../../src/platform/http/validation/validation.pipe.js';
import { startApp } from '../support/start-app.js';
import { forThisTest } from '../support/for-tests.js';

class ColourDto {
  @IsIn(['red', 'blue'])
  colour?: string;
}

@Controller('colours')
class UncheckedController {
  @Get()
  @Public()
  colour(@Query() { colour }: ColourDto): object {
    return { colour };
  }
}

@Controller('colours')
@UsePipes(validationPipe)
class CheckedController extends UncheckedController {
  @Get()
  @Public()
  override colour(@Query() query: ColourDto): object {
    return super.colour(query);
  }
}

@Module({ controllers: [UncheckedController] })
class UncheckedModule {}

@Module({ controllers: [CheckedController] })
class CheckedModule {}

describe('A parameter whose type is a class', () => {
  it('keeps the service from starting when nothing validates it', async () => {
    await expect(startApp({}, { extensions: [UncheckedModule] })).rejects.toThrow(
      'Nothing validates the parameters of UncheckedController.colour',
    );
  });

  it('is validated by the pipe of its controller', async () => {
    const running = await forThisTest(startApp({}, { extensions: [CheckedModule] }));
    const [red, green] = ['red', 'green'].map((colour) => running.anonymous.get(`/colours?colour=${colour}`));

    expect(await red).toMatchObject({ status: 200, body: { colour: 'red' } });
    expect((await green)?.status).toBe(422);
  });
});

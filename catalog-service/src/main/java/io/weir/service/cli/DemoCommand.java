package io.weir.service.cli;

import io.weir.service.demo.Demo;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows what Weir does, on a lake of its own that is removed afterwards. */
@Command(
        name = "demo",
        description = "Show a flow moving in the commit of an outside engine, on a fresh embedded lake.")
final class DemoCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        Demo.run(spec.commandLine().getOut());
        return 0;
    }
}

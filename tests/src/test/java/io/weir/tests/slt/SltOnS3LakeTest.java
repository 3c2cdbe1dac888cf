package io.weir.tests.slt;

import io.weir.service.config.Setting;
import io.weir.store.S3Config;
import io.weir.tests.fixtures.Fixtures;
import io.weir.tests.fixtures.S3Server;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;

class SltOnS3LakeTest extends SltCases {
    private S3Server s3;

    @Override
    Map<Setting, List<String>> lake() {
        s3 = Fixtures.orSkip(S3Server::start);
        S3Config config = s3.config();
        S3Config.Credentials credentials = config.credentials().orElseThrow();
        return Map.of(
                Setting.LAKE, List.of("lake=" + s3.lake("slt")),
                Setting.S3_ENDPOINT, List.of(config.endpoint().orElseThrow().toString()),
                Setting.S3_REGION, List.of(config.region()),
                Setting.S3_ACCESS_KEY_ID, List.of(credentials.accessKeyId()),
                Setting.S3_SECRET_ACCESS_KEY, List.of(credentials.secretAccessKey()));
    }

    @AfterAll
    void stopStore() {
        stop();
        if (s3 != null) {
            s3.close();
        }
    }
}
